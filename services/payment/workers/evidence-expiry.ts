import type { Running } from "../../shared/lifecycle";
import { errorFields, type Logger } from "../../shared/logger";
import { repeat } from "../../shared/repeat";
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
