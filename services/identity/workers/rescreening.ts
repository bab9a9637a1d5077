import { setTimeout } from "node:timers/promises";
import { monotonicMs, plusMs, systemClock } from "../../shared/kernel/clock";
import { type DueNotes, startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { Lease } from "../../shared/storage/lease";
import type { ScreenAgain } from "../operations/screen-again";
import type { Screening } from "../ports";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";

export interface RescreeningDeps {
  participants: Pick<ParticipantStore, "listScreenedByOther" | "setAside">;
  reviews: Pick<ReviewStore, "listScreenedByOther" | "setAside">;
  screening: Pick<Screening, "version">;
  screenAgain: ScreenAgain;
  /** Signals that other lists are in use. */
  lists: DueNotes;
  lease: Lease;
  logger: Logger;
}

/** Number of records that are read at once; while there are more, it pauses only to let other work run. */
const batchSize = 200;
const breathMs = 5;
/**
 * How long after a change of the list the records are checked repeatedly: other replicas, and requests in flight, use the old list for a
 * while.
 */
const changeMs = 60_000;
const lookAgainMs = 500;
/** Interval between two log lines about the progress. */
const reportEveryMs = 5_000;

/**
 * Screens persons, companies and waiting payments against the list in use, in batches, at the one replica that has the lease. Each record
 * says which list has screened it, so after a crash another process continues with the rest. A record that cannot be opened is skipped, so
 * that it blocks no other.
 */
export function startRescreening(deps: RescreeningDeps): Running {
  const { participants, reviews, screening, screenAgain, lists, lease, logger } = deps;
  let isStopped = false;
  const attempt = async (subject: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      logger.warn({ subject, ...errorFields(error) }, "a record could not be screened again; it is tried once more");
    }
  };
  const leaveOut = async (store: Pick<ParticipantStore, "setAside">, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    logger.error({ ids }, "records cannot be opened and are not screened; is a sealing key missing?");
    await store.setAside(ids);
  };
  let done = 0;
  let reportedAt = 0;
  const report = (listVersion: string, isLast: boolean): void => {
    if (done === 0 || (!isLast && performance.now() - reportedAt < reportEveryMs)) return;
    reportedAt = performance.now();
    logger.info({ listVersion, count: done, isLast }, "records were screened by the lists in use");
    if (isLast) done = 0;
  };
  const batch = async (): Promise<boolean> => {
    if (!(await lease.hold())) return false;
    const version = screening.version();
    const waiting = await reviews.listScreenedByOther(version, batchSize);
    const records = await participants.listScreenedByOther(version, batchSize);
    await leaveOut(reviews, waiting.unreadable);
    await leaveOut(participants, records.unreadable);
    for (const review of waiting.readable) await attempt(review.id, () => screenAgain.payment(review));
    for (const record of await screenAgain.touched(records.readable)) {
      await attempt(record.id, () => screenAgain.participant(record));
    }
    const count = waiting.readable.length + records.readable.length;
    done += count;
    report(version, count === 0);
    return records.readable.length === batchSize;
  };
  let seen = screening.version();
  let changedMs = Number.NEGATIVE_INFINITY;
  const sweep = async (): Promise<Date | undefined> => {
    if (screening.version() !== seen) changedMs = monotonicMs();
    seen = screening.version();
    while (!isStopped && (await batch())) await setTimeout(breathMs);
    return monotonicMs() < changedMs + changeMs ? plusMs(systemClock.now(), lookAgainMs) : undefined;
  };
  const sweeping = startDueWork({
    work: sweep,
    notes: lists,
    clock: systemClock,
    onError: (error) => logger.warn(errorFields(error), "a new screening of all records failed"),
    restMs: lookAgainMs,
  });
  return {
    async stop() {
      isStopped = true;
      await sweeping.stop();
      await lease.release();
    },
  };
}
