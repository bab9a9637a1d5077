import type { Clock } from "../../shared/kernel/clock";
import { invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { beginLogin, loginSecret, tiesOf } from "../domain/login";
import type { Home } from "../domain/user";
import type { IdentityProviders } from "../ports";
import type { LoginStore } from "../store/login-store";
import type { TenantStore } from "../store/tenant-store";
import { homeOfLogin, requireProvider } from "./login-place";

export interface BeginLoginDeps {
  providers: IdentityProviders;
  logins: Pick<LoginStore, "add">;
  tenants: Pick<TenantStore, "find">;
  clock: Clock;
  ids: Pick<Ids, "bytes">;
}

export interface BegunLogin {
  secret: string;
  authorizationUrl: string;
  endsAt: Date;
}

export type BeginLogin = (home: Home, redirectUri: string) => Promise<BegunLogin>;

/** Starts a login. The answer does not reveal whether the tenant exists. */
export const makeBeginLogin =
  ({ providers, logins, tenants, clock, ids }: BeginLoginDeps): BeginLogin =>
  async (home, redirectUri) => {
    const provider = requireProvider(providers, home);
    if (!provider.takesRedirect(redirectUri)) {
      throw invalid([{ field: "redirectUri", message: "is not an address that is configured" }]);
    }
    const secret = loginSecret(ids.bytes(32));
    const authorizationUrl = await provider.authorizationUrl(tiesOf(secret, redirectUri));
    const login = beginLogin(secret, await homeOfLogin(home, tenants), redirectUri, clock.now());
    await logins.add(login);
    return { secret, authorizationUrl, endsAt: login.endsAt };
  };
