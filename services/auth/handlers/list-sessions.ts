import type { ListSessionsRequest, ListSessionsResponse } from "../../../proto/gen/corridor/auth/v1/people_service";
import type { Clock } from "../../shared/kernel/clock";
import { endOf } from "../domain/login";
import { requireHome } from "../domain/user";
import type { SessionStore } from "../store/session-store";

const mostSessions = 100;

/** Only sessions that are still valid, of the user at this home. */
export const listSessionsHandler =
  (sessions: Pick<SessionStore, "listOf">, clock: Clock) =>
  async ({ userId, ...whose }: ListSessionsRequest): Promise<ListSessionsResponse> => {
    const wanted = requireHome(whose);
    const now = clock.now();
    const all = await sessions.listOf(userId, mostSessions);
    const open = all.filter((session) => session.home === wanted && endOf(session) > now);
    return {
      sessions: open.map((session) => {
        const { name: sessionId, openedAt, seenAt } = session;
        return { sessionId, openedAt, seenAt, expiresAt: endOf(session) };
      }),
    };
  };
