import type { Clock } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { beginLogin, loginSecret, tiesOf } from "../domain/login";
import { type Home, nowhere, tenantOf } from "../domain/user";
import type { IdentityProviders } from "../ports";
import type { LoginStore } from "../store/login-store";
import type { TenantStore } from "../store/tenant-store";

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

/**
 * Starts a login. The answer does not reveal whether the tenant exists, so outsiders learn nothing, and nothing is stored for a name that
 * is not a tenant's.
 */
export const makeBeginLogin =
  ({ providers, logins, tenants, clock, ids }: BeginLoginDeps): BeginLogin =>
  async (home, redirectUri) => {
    const provider = home === "operators" ? providers.operators : providers.tenants;
    if (provider === undefined)
      throw new DomainError("RECORD_NOT_FOUND", "no identity provider is configured for this login");
    if (!provider.takesRedirect(redirectUri)) {
      throw invalid([{ field: "redirectUri", message: "is not an address that is configured" }]);
    }
    const secret = loginSecret(ids.bytes(32));
    const authorizationUrl = await provider.authorizationUrl(tiesOf(secret, redirectUri));
    const tenant = tenantOf(home);
    const isThere = tenant === undefined || (await tenants.find(tenant)) !== undefined;
    const login = beginLogin(secret, isThere ? home : nowhere, redirectUri, clock.now());
    await logins.add(login);
    return { secret, authorizationUrl, endsAt: login.endsAt };
  };
