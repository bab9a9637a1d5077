import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { ExpireEvidence } from "../operations/expire-evidence";

const lookMs = 10_000;

/** Looks again and again for evidence that was kept for long enough. */
export function startEvidenceExpiry(expireEvidence: ExpireEvidence, logger: Logger): Running {
  const run = async (): Promise<void> => {
    const count = await expireEvidence();
    if (count > 0) logger.info({ count }, "evidence was kept for long enough and is removed");
  };
  return repeat(lookMs, run, (error) => logger.warn(errorFields(error), "looking for evidence to remove failed"));
}
