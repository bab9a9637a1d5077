import { type Clock, plusMs, systemClock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Home } from "../domain/user";
import type { SessionStore } from "../store/session-store";
import type { UserStore } from "../store/user-store";

export interface EndUserSessionsDeps {
  users: Pick<UserStore, "find" | "save">;
  sessions: Pick<SessionStore, "endAllOf">;
  clock: Clock;
}

export type EndUserSessions = (home: Home, userId: string) => Promise<void>;

/** The provider's clock may be ahead of ours: tokens with times slightly in the future may be from before. */
const aheadMs = 30_000;

/** Ends everything that a user has presented so far: its sessions, and the tokens of the provider, which uses real time. */
export const makeEndUserSessions =
  ({ users, sessions, clock }: EndUserSessionsDeps): EndUserSessions =>
  async (home, userId) => {
    const user = await users.find(home, userId);
    if (user === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such user");
    const tokensSince = plusMs(systemClock.now(), aheadMs);
    const next = { ...user, tokensSince, reducedAt: clock.now(), version: user.version + 1 };
    if (!(await users.save(next)))
      throw new DomainError("VERSION_CONFLICT", "another request has just changed the user; try again");
    await sessions.endAllOf(userId);
  };
