import { DomainError } from "../../shared/kernel/errors";
import type { Home } from "../domain/user";
import type { SessionStore } from "../store/session-store";
import type { UserStore } from "../store/user-store";

export interface EndUserSessionDeps {
  users: Pick<UserStore, "find">;
  sessions: Pick<SessionStore, "endOneOf">;
}

export type EndUserSession = (home: Home, userId: string, session: string) => Promise<void>;

/** Ends one session of a user, given its name. */
export const makeEndUserSession =
  ({ users, sessions }: EndUserSessionDeps): EndUserSession =>
  async (home, userId, session) => {
    const user = await users.find(home, userId);
    if (user === undefined || !(await sessions.endOneOf(userId, session))) {
      throw new DomainError("RECORD_NOT_FOUND", "there is no such session");
    }
  };
