import type { Clock } from "../../shared/kernel/clock";
import { startDueWork } from "../../shared/process/due-work";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import type { ExpireEvidence } from "../operations/expire-evidence";

/** Time between two runs. Evidence is kept for days, so it may stay this much longer. */
const lookMs = 20_000;

/** Removes evidence that was kept for long enough, at intervals and when the clock is moved. */
export function startEvidenceExpiry(expireEvidence: ExpireEvidence, clock: Clock, logger: Logger): Running {
  const run = async (): Promise<undefined> => {
    const count = await expireEvidence();
    if (count > 0) logger.info({ count }, "evidence was kept for long enough and is removed");
  };
  const onError = (error: unknown): void => logger.warn(errorFields(error), "the removal of old evidence failed");
  return startDueWork({ work: run, clock, lookMs, onError });
}
