import { type Anchors, anchorOf } from "../../shared/crypto/anchor";
import type { Clock } from "../../shared/kernel/clock";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { gauge, type Metrics } from "../../shared/process/metrics";
import { repeat } from "../../shared/process/repeat";
import type { Lease } from "../../shared/storage/lease";
import type { Transact } from "../../shared/storage/mongo";
import type { LedgerKeys } from "../domain/ledger-keys";
import { makeSealCheckpoint, type SealCheckpointDeps } from "../operations/seal-checkpoint";
import { compareAnchors, type LedgerReport, type VerifyLedgerDeps } from "../operations/verify-ledger";
import type { CheckpointStore } from "../store/checkpoint-store";

export interface CheckpointsDeps extends Omit<SealCheckpointDeps, "checkpoints"> {
  transact: Transact;
  checkpoints: CheckpointStore & VerifyLedgerDeps["checkpoints"];
  keys: LedgerKeys;
  anchors: readonly Anchors[];
  lease: Lease;
  everyMs: number;
  /** Throws while this replica must not write. */
  requireClock(): Promise<void>;
  clock: Clock;
  logger: Logger;
  metrics: Metrics;
}

/**
 * Seals checkpoints periodically at one replica, and anchors the newest outside of the store. Compares the anchors with the
 * store at the start.
 */
export function startCheckpoints(deps: CheckpointsDeps): Running {
  const { lease, logger, everyMs, requireClock } = deps;
  const seal = makeSealCheckpoint(deps);
  const anchor = makeAnchoring(deps);
  const compare = makeComparison(deps);
  const sealAll = async (): Promise<void> => {
    await compare();
    await requireClock();
    for (let isAll = false; !isAll && (await lease.hold()); ) {
      const sealed = await seal();
      isAll = sealed?.isAll ?? true;
      if (sealed === undefined) continue;
      const { number, heads, seal: hash } = sealed.checkpoint;
      logger.info({ number, heads: heads.length, seal: hash }, "a checkpoint is sealed");
    }
    if (await lease.hold()) await anchor();
  };
  return stopAll([
    { stop: () => lease.release() },
    repeat(everyMs, sealAll, (error) => logger.warn(errorFields(error), "a checkpoint was not sealed")),
  ]);
}

/** Writes the newest checkpoint to every place that has not received it from this process yet. */
function makeAnchoring({ transact, checkpoints, anchors, key, logger }: CheckpointsDeps): () => Promise<void> {
  const anchored = new Map<Anchors, number>();
  return async () => {
    const latest = await transact((tx) => checkpoints.latest(tx));
    if (latest === undefined) return;
    for (const place of anchors) {
      if (anchored.get(place) === latest.number) continue;
      try {
        await place.add(anchorOf(key, latest));
        anchored.set(place, latest.number);
      } catch (error) {
        logger.warn({ number: latest.number, ...errorFields(error) }, "a checkpoint is not anchored yet");
      }
    }
  };
}

/** Compares once, when a place can first be read; the result stays in the metric until the next start. */
function makeComparison(deps: CheckpointsDeps): () => Promise<void> {
  const { anchors, logger, metrics } = deps;
  const waiting = new Set(anchors);
  let faults = 0;
  gauge(metrics, "corridor_ledger_anchor_faults", "Anchors that the store disagreed with at the start.", () => faults);
  return async () => {
    for (const place of waiting) {
      const report: Pick<LedgerReport, "anchors" | "findings"> = { anchors: 0, findings: [] };
      try {
        await place.latest();
      } catch (error) {
        logger.warn(errorFields(error), "anchors of the ledger cannot be read");
        continue;
      }
      waiting.delete(place);
      await compareAnchors({ ...deps, anchors: [place] }, report);
      faults += report.findings.length;
      for (const finding of report.findings) logger.error({ ...finding }, "the ledger does not match its anchors");
    }
  };
}
