import { type Clock, plusMs } from "../../shared/kernel/clock";
import type { EvidenceStore } from "../store/evidence-store";

export interface ExpireEvidenceDeps {
  evidence: EvidenceStore;
  /** How long evidence is kept, milliseconds. */
  keptMs: number;
  clock: Clock;
}

/** Removes evidence that has been kept for long enough, batch by batch; returns the number of payments and cases that had some. */
export type ExpireEvidence = () => Promise<number>;

const batchSize = 100;

/** Several replicas may run this at once, and any of them may stop midway: the next run finds what is left. */
export const makeExpireEvidence =
  ({ evidence, keptMs, clock }: ExpireEvidenceDeps): ExpireEvidence =>
  async () => {
    const until = plusMs(clock.now(), -keptMs);
    let total = 0;
    for (;;) {
      const done = await evidence.expire(until, batchSize);
      total += done;
      if (done === 0) return total;
    }
  };
