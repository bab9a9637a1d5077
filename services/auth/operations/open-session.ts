import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import { endOf, openSession, sessionSecret } from "../domain/login";
import { allRoles } from "../domain/user";
import type { SessionStore } from "../store/session-store";
import type { Admitted } from "./admit-person";
import type { ProvenPerson } from "./authenticate-person";

export interface OpenSessionDeps {
  sessions: Pick<SessionStore, "add">;
  clock: Clock;
  ids: Ids;
}

/** A session and its secret, which is not stored anywhere. */
export interface OpenedSession {
  secret: string;
  person: ProvenPerson;
}

/** Opens a session for an admitted person who authenticated at `provenAt`. */
export type OpenSession = (admitted: Admitted, provenAt: Date | undefined) => Promise<OpenedSession>;

export const makeOpenSession =
  ({ sessions, clock, ids }: OpenSessionDeps): OpenSession =>
  async ({ user, claimedRoles }, provenAt) => {
    const secret = sessionSecret(ids.bytes(32));
    const facts = { name: ids.uuid(), userId: user.id, home: user.home, claimedRoles, provenAt };
    const session = openSession(secret, facts, clock.now());
    await sessions.add(session);
    const roles = allRoles(user, claimedRoles);
    return { secret, person: { user, roles, provenAt, expiresAt: endOf(session), session: session.name } };
  };
