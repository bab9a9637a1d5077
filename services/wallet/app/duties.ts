import type { Connection } from "mongoose";
import { type DueNotes, startDueWork } from "../../shared/process/due-work";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import { errorFields } from "../../shared/process/logger";
import { makeLease, processHolder } from "../../shared/storage/lease";
import { type ExpireHoldsDeps, makeExpireHolds } from "../operations/expire-holds";
import { type CheckpointsDeps, startCheckpoints } from "../workers/checkpoints";

type DutiesDeps = ExpireHoldsDeps &
  Omit<CheckpointsDeps, "lease"> & {
    connection: Connection;
    /** Tells when holds that were written will be over. */
    due: DueNotes;
  };

/** What the ledger does by itself: it ends holds whose time is over, and seals and anchors checkpoints. */
export function startDuties(deps: DutiesDeps): Running {
  const { connection, due, clock, logger } = deps;
  const lease = makeLease({ connection, name: "wallet-checkpoint", holder: processHolder });
  return stopAll([
    startDueWork({
      work: makeExpireHolds(deps),
      notes: due,
      clock,
      onError: (error) => logger.warn(errorFields(error), "looking for holds that are over failed"),
    }),
    startCheckpoints({ ...deps, lease }),
  ]);
}
