import { beginningOfTime, type Clock, latest, plusMs, secondsSince } from "../../shared/kernel/clock";
import { startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { gauge, type Metrics } from "../../shared/process/metrics";
import type { Lease } from "../../shared/storage/lease";
import type { StartVerification } from "../operations/start-verification";
import type { Verification, VerificationStore } from "../store/verification-store";

export interface LedgerVerificationDeps {
  startVerification: StartVerification;
  verifications: Pick<VerificationStore, "latest">;
  lease: Lease;
  /** Time between two verifications, milliseconds. */
  everyMs: number;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** A verification that has not ended by then died with its process, milliseconds. */
const longestWalkMs = 3_600_000;
/** More than can run at the same time, so that a finished one is included. */
const looked = 10;
/** Pause before this replica looks again when another one is about to begin, milliseconds. */
const leaseRestMs = 5_000;

/**
 * Verifies the ledger periodically, at one replica at a time, and reports the findings and age of the last verification
 * as metrics. `stop` does not wait for a verification: an unfinished one is repeated.
 */
export function startLedgerVerification(deps: LedgerVerificationDeps): Running {
  const { startVerification, verifications, lease, everyMs, clock, logger } = deps;
  const prove = async (): Promise<Date> => {
    const now = clock.now();
    const dueAt = nextWalk(await verifications.latest(looked), everyMs);
    if (dueAt > now) return dueAt;
    // Checks again under the lease: another replica may have begun meanwhile.
    if (!(await lease.hold())) return plusMs(now, leaseRestMs);
    if (nextWalk(await verifications.latest(looked), everyMs) > now) return plusMs(now, leaseRestMs);
    const { id } = await startVerification(undefined);
    logger.info({ id }, "the ledger is being verified");
    return plusMs(now, everyMs);
  };
  show(deps);
  return startDueWork({
    work: prove,
    clock,
    onError: (error) => logger.warn(errorFields(error), "the verification of the ledger failed"),
  });
}

/** When the next verification begins: `everyMs` after the last one ended or died; a past time when there was none. */
export const nextWalk = (walks: readonly Verification[], everyMs: number): Date =>
  latest([
    beginningOfTime,
    ...walks.map(({ startedAt, finishedAt }) =>
      plusMs(startedAt, finishedAt === undefined ? Math.min(everyMs, longestWalkMs) : everyMs),
    ),
  ]);

function show({ verifications, clock, metrics }: LedgerVerificationDeps): void {
  const begunAt = clock.now();
  const finished = async (): Promise<Verification | undefined> =>
    (await verifications.latest(looked)).find(({ finishedAt }) => finishedAt !== undefined);
  gauge(metrics, "corridor_ledger_findings", "Faults that the last verification of the ledger found.", async () => {
    const last = await finished();
    return last === undefined ? 0 : last.findings.length;
  });
  gauge(
    metrics,
    "corridor_ledger_verification_age_seconds",
    "Time since a verification ended, or since the start.",
    async () => secondsSince((await finished())?.finishedAt ?? begunAt, clock.now()),
  );
}
