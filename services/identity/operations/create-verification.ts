import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { Ids } from "../../shared/ids";
import type { JsonObject } from "../../shared/json";
import type { Session } from "../domain/session";
import { parseVerificationRequest } from "../domain/session-request";
import type { Verification } from "../ports";
import type { SessionStore } from "../store/session-store";
import type { VerificationStore } from "../store/verification-store";
import type { AdvanceSession } from "./advance-session";

export interface CreateVerificationDeps {
  sessions: Pick<SessionStore, "find">;
  verifications: Pick<VerificationStore, "add">;
  advance: Pick<AdvanceSession, "ask">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

/** A verification, and the session that it asks about. */
export interface AskedVerification {
  verification: Verification;
  session: Session;
}

export type CreateVerification = (tenant: string, body: JsonObject) => Promise<AskedVerification>;

/** Keeps that a session was asked about, and asks the vendor. A silent vendor leaves the session as it is. */
export const makeCreateVerification =
  ({ sessions, verifications, advance, clock, ids }: CreateVerificationDeps): CreateVerification =>
  async (tenant, body) => {
    const { sessionId, checks } = parseVerificationRequest(body);
    const session = requireSession(tenant, await sessions.find(sessionId));
    const verification = { id: ids.uuid(), tenant, sessionId, checks, createdAt: clock.now() };
    await verifications.add(verification);
    return { verification, session: (await advance.ask(sessionId)) ?? session };
  };

/** The session if it is the tenant's; throws SESSION_NOT_FOUND otherwise. */
export function requireSession(tenant: string, session: Session | undefined): Session {
  if (session?.tenant === tenant) return session;
  throw new DomainError("SESSION_NOT_FOUND", "there is no such session");
}
