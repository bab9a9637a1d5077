import { type Clock, plusMs, secondsSince } from "../../shared/kernel/clock";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { gauge, type Metrics } from "../../shared/process/metrics";
import { repeat } from "../../shared/process/repeat";
import type { Lease } from "../../shared/storage/lease";
import type { StartVerification } from "../operations/start-verification";
import type { Verification, VerificationStore } from "../store/verification-store";

export interface ProvingDeps {
  startVerification: StartVerification;
  verifications: Pick<VerificationStore, "latest">;
  lease: Lease;
  /** Time between two walks, milliseconds. */
  everyMs: number;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/** How often a replica asks whether it is time, milliseconds. */
const askEveryMs = 5_000;
/** A walk that has not ended by then died with its process, milliseconds. */
const longestWalkMs = 3_600_000;
/** More than run at the same time, so that a finished one is among them. */
const looked = 10;

/**
 * Walks over the ledger again and again, at one replica at a time, and shows Prometheus what the last walk found and how
 * long ago it was. `stop` does not wait for a walk: what it leaves is walked again.
 */
export function startProving(deps: ProvingDeps): Running {
  const { startVerification, verifications, lease, everyMs, clock, logger } = deps;
  const prove = async (): Promise<void> => {
    const now = clock.now();
    if (!(await lease.hold()) || !isDue(await verifications.latest(looked), now, everyMs)) return;
    const { id } = await startVerification(undefined);
    logger.info({ id }, "the ledger is being verified");
  };
  show(deps);
  return repeat(Math.min(askEveryMs, everyMs), prove, (error) =>
    logger.warn(errorFields(error), "the ledger was not verified"),
  );
}

/** True when no walk has begun within the time, except for one that will not end any more. */
export const isDue = (walks: readonly Verification[], now: Date, everyMs: number): boolean =>
  !walks.some(
    ({ startedAt, finishedAt }) =>
      startedAt > plusMs(now, -(finishedAt === undefined ? Math.min(everyMs, longestWalkMs) : everyMs)),
  );

function show({ verifications, clock, metrics }: ProvingDeps): void {
  const begunAt = clock.now();
  const finished = async (): Promise<Verification | undefined> =>
    (await verifications.latest(looked)).find(({ finishedAt }) => finishedAt !== undefined);
  gauge(metrics, "corridor_ledger_findings", "Faults that the last walk over the ledger found.", async () => {
    const last = await finished();
    return last === undefined ? 0 : last.findings.length;
  });
  gauge(metrics, "corridor_ledger_verification_age_seconds", "Time since a walk ended, or since the start.", async () =>
    secondsSince((await finished())?.finishedAt ?? begunAt, clock.now()),
  );
}
