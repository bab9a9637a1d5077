import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { changeUser, type Home, type User } from "../domain/user";
import type { SessionStore } from "../store/session-store";
import type { UserStore } from "../store/user-store";

export interface ChangeUserDeps {
  users: Pick<UserStore, "find" | "save">;
  sessions: Pick<SessionStore, "endAllOf">;
  clock: Clock;
}

export interface UserChange {
  home: Home;
  userId: string;
  roles?: readonly string[];
  isDisabled?: boolean;
  /** Id of the user who asks for it. */
  by: string | undefined;
}

export type ChangeUser = (change: UserChange) => Promise<User>;

/** Binds other roles to a user or disables it. Throws RECORD_NOT_FOUND, RECORD_CONFLICT and INVALID_ARGUMENT. */
export const makeChangeUser =
  ({ users, sessions, clock }: ChangeUserDeps): ChangeUser =>
  async ({ home, userId, ...change }) => {
    const user = await users.find(home, userId);
    if (user === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such user");
    const changed = changeUser(user, { ...change, at: clock.now() });
    if (!(await users.save(changed)))
      throw new DomainError("VERSION_CONFLICT", "another request has just changed the user; try again");
    if (changed.isDisabled) await sessions.endAllOf(userId);
    return changed;
  };
