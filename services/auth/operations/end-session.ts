import { digestOf } from "../domain/login";
import type { SessionStore } from "../store/session-store";

export type EndSession = (secret: string) => Promise<void>;

/** Ends a session; does nothing if it has already ended. */
export const makeEndSession =
  ({ sessions }: { sessions: Pick<SessionStore, "end"> }): EndSession =>
  (secret) =>
    sessions.end(digestOf(secret));
