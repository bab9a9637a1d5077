import type { Clock } from "../shared/clock";
import type { Running } from "../shared/lifecycle";
import { errorFields, type Logger } from "../shared/logger";
import { repeat } from "../shared/repeat";
import type { AdvanceSession } from "./operations/advance-session";
import type { SessionStore } from "./store/session-store";

export interface SessionSweepDeps {
  sessions: Pick<SessionStore, "due">;
  advance: Pick<AdvanceSession, "ask">;
  clock: Clock;
  logger: Logger;
}

const pauseMs = 500;
const batchSize = 32;

/**
 * Asks the vendor about the sessions whose time has come, and ends those whose page has closed. Replicas may do so at the
 * same time: the session's version lets one of them win.
 */
export function startSessionSweep({ sessions, advance, clock, logger }: SessionSweepDeps): Running {
  const askOne = async (sessionId: string): Promise<void> => {
    try {
      await advance.ask(sessionId);
    } catch (error) {
      logger.warn({ sessionId, ...errorFields(error) }, "a session could not be carried on; it is due again");
    }
  };
  const sweep = async (): Promise<void> => {
    const due = await sessions.due(clock.now(), batchSize);
    await Promise.all(due.map(({ id }) => askOne(id)));
  };
  return repeat(pauseMs, sweep, (error) => logger.warn(errorFields(error), "looking for due sessions failed"));
}
