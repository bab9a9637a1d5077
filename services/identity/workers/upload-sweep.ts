import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { Running } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import type { DocumentFiles } from "../store/document-files";

export interface UploadSweepDeps {
  files: Pick<DocumentFiles, "unsettled" | "giveUp">;
  /** Real time, since uploads depend on the network. */
  clock: Clock;
  logger: Logger;
}

const pauseMs = 30_000;
/** Longer than any upload may take: the gateway's own limit is four minutes. */
const maxUploadMs = 5 * 60_000;
const batchSize = 100;

/**
 * Removes uploads that never became a document because the caller or this process went away. Several replicas may do it at once.
 */
export function startUploadSweep({ files, clock, logger }: UploadSweepDeps): Running {
  const sweep = async (): Promise<void> => {
    const abandoned = await files.unsettled(plusMs(clock.now(), -maxUploadMs), batchSize);
    for (const fileId of abandoned) await files.giveUp(fileId);
  };
  return repeat(pauseMs, sweep, (error) => logger.warn(errorFields(error), "the removal of abandoned uploads failed"));
}
