import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import { type BucketDemand, takeTokens } from "../../shared/token-bucket";
import type { BucketStore } from "../store/bucket-store";

export interface LeaseTokensDeps {
  buckets: Pick<BucketStore, "find" | "replace">;
  clock: Clock;
}

export interface NamedDemand extends BucketDemand {
  bucket: string;
}

export interface BucketLease {
  granted: number;
  left: number;
}

/** Takes what is there of a bucket. Throws VERSION_CONFLICT when rivals were always first. */
export type LeaseTokens = (demand: NamedDemand) => Promise<BucketLease>;

const tries = 20;

/** Calls for one bucket wait for one another, so that rivals are other replicas only. */
export function makeLeaseTokens({ buckets, clock }: LeaseTokensDeps): LeaseTokens {
  const last = new Map<string, Promise<unknown>>();

  const take = async (demand: NamedDemand): Promise<BucketLease> => {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const before = await buckets.find(demand.bucket);
      const { next, granted } = takeTokens(before, demand, clock.now());
      if (granted === 0 && before !== undefined) return { granted, left: next.tokens };
      if (await buckets.replace(demand.bucket, before, next)) return { granted, left: next.tokens };
    }
    throw new DomainError("VERSION_CONFLICT", "the bucket changes too fast");
  };

  return (demand) => {
    const { bucket } = demand;
    const mine = (last.get(bucket) ?? Promise.resolve()).then(() => take(demand));
    const ended = mine
      .catch(() => {})
      .finally(() => {
        if (last.get(bucket) === ended) last.delete(bucket);
      });
    last.set(bucket, ended);
    return mine;
  };
}
