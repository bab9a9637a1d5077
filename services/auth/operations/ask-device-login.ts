import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { digestOf, openDeviceCode, question, slower } from "../domain/login";
import type { IdentityProviders } from "../ports";
import type { DeviceLoginStore } from "../store/device-login-store";
import type { AdmitPerson } from "./admit-person";
import { requireProvider } from "./login-place";
import type { OpenedSession, OpenSession } from "./open-session";

export interface AskDeviceLoginDeps {
  providers: IdentityProviders;
  deviceLogins: Pick<DeviceLoginStore, "find" | "save" | "take">;
  admitPerson: AdmitPerson;
  openSession: OpenSession;
  clock: Clock;
  ids: Pick<Ids, "bytes">;
}

export type DeviceLoginAnswer = { intervalSeconds: number } & (
  | { state: "PENDING" | "SLOW_DOWN" | "DENIED" | "EXPIRED" }
  | { state: "DONE"; opened: OpenedSession }
);

export type AskDeviceLogin = (question: { login: string; isOperator: boolean }) => Promise<DeviceLoginAnswer>;

const refuse = (message: string): DomainError => new DomainError("UNAUTHENTICATED", message);

/**
 * Asks the provider how far a login is, once in each interval over all replicas, and opens the session. The login is removed with the
 * provider's last answer, before anything comes of it, so that it ends only once.
 */
export const makeAskDeviceLogin =
  ({ providers, deviceLogins, admitPerson, openSession, clock, ids }: AskDeviceLoginDeps): AskDeviceLogin =>
  async ({ login: secret, isOperator }) => {
    const login = await deviceLogins.find(digestOf(secret));
    if (login === undefined || (login.home === "operators") !== isOperator) {
      throw refuse("the login is unknown, used, too old or of another door");
    }
    const { id, home, endsAt } = login;
    const now = clock.now();
    const { isDue, next } = question(login, now);
    const { intervalSeconds } = next;
    if (endsAt <= now) {
      await deviceLogins.take(id);
      return { state: "EXPIRED", intervalSeconds };
    }
    const isFirst = await deviceLogins.save(login, next);
    if (!isDue || !isFirst) return { state: "SLOW_DOWN", intervalSeconds };
    const provider = requireProvider(providers, home);
    const answer = await provider.askDevice(openDeviceCode(secret, login, ids));
    if (answer.state === "PENDING") return { state: "PENDING", intervalSeconds };
    if (answer.state === "SLOW_DOWN") {
      const rarer = slower(next);
      await deviceLogins.save(next, rarer);
      return { state: "SLOW_DOWN", intervalSeconds: rarer.intervalSeconds };
    }
    if (!(await deviceLogins.take(id))) throw refuse("the login is used");
    if (answer.state === "REFUSED") throw refuse("the identity provider refuses the device code");
    if (answer.state !== "DONE") return { state: answer.state, intervalSeconds };
    const claims = await provider.readDeviceIdentity(answer.idToken);
    const opened = await openSession(await admitPerson(claims, home), claims.provenAt);
    return { state: "DONE", intervalSeconds, opened };
  };
