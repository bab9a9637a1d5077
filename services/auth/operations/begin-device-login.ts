import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import { beginDeviceLogin, deviceSecret } from "../domain/login";
import type { Home } from "../domain/user";
import type { DeviceGrant, IdentityProviders } from "../ports";
import type { DeviceLoginStore } from "../store/device-login-store";
import type { TenantStore } from "../store/tenant-store";
import { homeOfLogin, requireProvider } from "./login-place";

export interface BeginDeviceLoginDeps {
  providers: IdentityProviders;
  deviceLogins: Pick<DeviceLoginStore, "add">;
  tenants: Pick<TenantStore, "find">;
  clock: Clock;
  ids: Pick<Ids, "bytes">;
}

export interface BegunDeviceLogin
  extends Pick<DeviceGrant, "userCode" | "verificationUri" | "verificationUriComplete" | "intervalSeconds"> {
  secret: string;
  endsAt: Date;
}

export type BeginDeviceLogin = (home: Home) => Promise<BegunDeviceLogin>;

/** Starts a login without a browser of its own. The answer does not reveal whether the tenant exists. */
export const makeBeginDeviceLogin =
  ({ providers, deviceLogins, tenants, clock, ids }: BeginDeviceLoginDeps): BeginDeviceLogin =>
  async (home) => {
    const grant = await requireProvider(providers, home).beginDevice();
    const secret = deviceSecret(ids.bytes(32));
    const login = beginDeviceLogin(secret, await homeOfLogin(home, tenants), grant, { now: clock.now(), ids });
    await deviceLogins.add(login);
    const { userCode, verificationUri, verificationUriComplete } = grant;
    const { intervalSeconds, endsAt } = login;
    return { secret, userCode, verificationUri, verificationUriComplete, intervalSeconds, endsAt };
  };
