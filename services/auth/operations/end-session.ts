import { digestOf } from "../domain/login";
import type { SessionStore } from "../store/session-store";

export type EndSession = (secret: string) => Promise<void>;

/** Ends a session; one that is no session any more stays none. */
export const makeEndSession =
  ({ sessions }: { sessions: Pick<SessionStore, "end"> }): EndSession =>
  (secret) =>
    sessions.end(digestOf(secret));
