import type { Connection } from "mongoose";
import { type DueNotes, startDueWork } from "../../shared/process/due-work";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import { errorFields } from "../../shared/process/logger";
import { makeLease, processHolder } from "../../shared/storage/lease";
import { type ExpireHoldsDeps, makeExpireHolds } from "../operations/expire-holds";
import { type CheckpointsDeps, startCheckpoints } from "../workers/checkpoints";

type ScheduledWorkDeps = ExpireHoldsDeps &
  Omit<CheckpointsDeps, "lease"> & {
    connection: Connection;
    /** Says when newly written holds expire. */
    due: DueNotes;
  };

/** Starts the background work of the ledger: expiring holds, and sealing and anchoring checkpoints. */
export function startScheduledWork(deps: ScheduledWorkDeps): Running {
  const { connection, due, clock, logger } = deps;
  const lease = makeLease({ connection, name: "wallet-checkpoint", holder: processHolder });
  return stopAll([
    startDueWork({
      work: makeExpireHolds(deps),
      notes: due,
      clock,
      onError: (error) => logger.warn(errorFields(error), "the search for expired holds failed"),
    }),
    startCheckpoints({ ...deps, lease }),
  ]);
}
