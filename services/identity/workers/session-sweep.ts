import { type Clock, plusMs } from "../../shared/kernel/clock";
import { type DueNotes, startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { DueSession, SessionStore } from "../store/session-store";

export interface SessionSweepDeps {
  sessions: Pick<SessionStore, "upcoming" | "take">;
  /** Reports when written records are due. */
  due: DueNotes;
  advance: { ask(id: string): Promise<unknown> };
  clock: Clock;
  logger: Logger;
  /** Longest time between reads of the store, milliseconds. */
  lookMs?: number | undefined;
}

const batchSize = 32;
/**
 * Longer than a call to the vendor and its processing. A session that cannot be opened, or is held by a process that dies, is due again
 * then.
 */
const leaseMs = 10_000;

/**
 * Asks the vendor about the sessions, documents or erasures that are due, and ends sessions with a closed page. Of several replicas the one
 * that claims a session asks.
 */
export function startSessionSweep({ sessions, due, advance, clock, logger, lookMs }: SessionSweepDeps): Running {
  const askOne = async (session: DueSession): Promise<void> => {
    const { id } = session;
    const until = plusMs(clock.now(), leaseMs);
    try {
      if (!(await sessions.take(session, until))) return;
      due.note(until);
      await advance.ask(id);
    } catch (error) {
      logger.warn(
        { id, ...errorFields(error) },
        "a session, document or erasure could not be advanced; it is due again",
      );
    }
  };
  const sweep = async (): Promise<Date | undefined> => {
    const upcoming = await sessions.upcoming(batchSize);
    const now = clock.now();
    await Promise.all(upcoming.filter(({ dueAt }) => dueAt <= now).map(askOne));
    // If the whole batch was due there may be more.
    return upcoming.length === batchSize ? upcoming.at(-1)?.dueAt : upcoming.find(({ dueAt }) => dueAt > now)?.dueAt;
  };
  return startDueWork({
    work: sweep,
    notes: due,
    clock,
    lookMs,
    onError: (error) => logger.warn(errorFields(error), "looking for due sessions failed"),
  });
}
