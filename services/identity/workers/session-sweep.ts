import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { DueSession, SessionStore } from "../store/session-store";

export interface SessionSweepDeps {
  sessions: Pick<SessionStore, "due" | "take">;
  advance: { ask(id: string): Promise<unknown> };
  clock: Clock;
  logger: Logger;
}

const pauseMs = 500;
const batchSize = 32;
/**
 * Longer than a call to the vendor and what follows it. A session whose taker dies, or that cannot be opened, is due again
 * then.
 */
const leaseMs = 10_000;

/**
 * Asks the vendor about the sessions, documents or erasures whose time has come, and ends sessions whose page has closed. Of
 * several replicas the one that takes a session asks.
 */
export function startSessionSweep({ sessions, advance, clock, logger }: SessionSweepDeps): Running {
  const askOne = async (due: DueSession): Promise<void> => {
    const { id } = due;
    try {
      if (await sessions.take(due, plusMs(clock.now(), leaseMs))) await advance.ask(id);
    } catch (error) {
      logger.warn({ id, ...errorFields(error) }, "a session, document or erasure was not carried on; it is due again");
    }
  };
  const sweep = async (): Promise<void> => {
    const due = await sessions.due(clock.now(), batchSize);
    await Promise.all(due.map(askOne));
  };
  return repeat(pauseMs, sweep, (error) => logger.warn(errorFields(error), "looking for due sessions failed"));
}
