import { type Connection, mongo } from "mongoose";
import type { Clock } from "../kernel/clock";
import { type Bucket, type BucketDemand, takeTokens } from "../kernel/token-bucket";
import { conflict, retryOnConflict } from "../process/retry-on-conflict";
import { isDuplicateKey } from "./mongo";

/** What was given of a bucket, and what is left in it. */
export interface TokensTaken {
  granted: number;
  left: number;
}

/** Buckets that all replicas of a service share. */
export interface TokenBuckets {
  init(): Promise<void>;
  /** Takes what is there, at most what is wanted. Throws UNAVAILABLE when other writers were always faster. */
  take(name: string, demand: BucketDemand): Promise<TokensTaken>;
}

interface BucketRecord extends Bucket {
  _id: string;
  /** Grows with every write: two writers cannot both give the same tokens. */
  version: number;
}

/** After this long without a call a bucket is full, and its record goes. */
const keepSeconds = 3_600;

/**
 * Buckets in collection `rate_buckets`. They are not worth waiting for a disk or a majority: a crash gives some tokens
 * back, nothing more. Calls for one bucket wait for one another, so that rivals are other replicas only.
 */
export function makeTokenBuckets(connection: Connection, clock: Clock): TokenBuckets {
  const options = { writeConcern: new mongo.WriteConcern(1, undefined, false) };
  const buckets = connection.collection<BucketRecord>("rate_buckets", options);
  const last = new Map<string, Promise<unknown>>();

  /** Puts `next` in the place of `before`; false when another writer was first. */
  const replace = async (name: string, before: BucketRecord | null, { tokens, at }: Bucket): Promise<boolean> => {
    try {
      if (before === null) {
        await buckets.insertOne({ _id: name, tokens, at, version: 1 });
        return true;
      }
      const { version } = before;
      const next = { $set: { tokens, at, version: version + 1 } };
      const { modifiedCount } = await buckets.updateOne({ _id: name, version }, next);
      return modifiedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  const takeNow = (name: string, demand: BucketDemand): Promise<TokensTaken> =>
    retryOnConflict("bucket", async () => {
      const before = await buckets.findOne({ _id: name });
      const { next, granted } = takeTokens(before ?? undefined, demand, clock.now());
      const isWorthIt = granted > 0 || before === null;
      const isTaken = !isWorthIt || (await replace(name, before, next));
      return isTaken ? { granted, left: next.tokens } : conflict;
    });

  return {
    async init() {
      await connection.createCollection("rate_buckets");
      await buckets.createIndex({ at: 1 }, { expireAfterSeconds: keepSeconds });
    },
    take(name, demand) {
      const mine = (last.get(name) ?? Promise.resolve()).then(() => takeNow(name, demand));
      const ended = mine
        .catch(() => {})
        .finally(() => {
          if (last.get(name) === ended) last.delete(name);
        });
      last.set(name, ended);
      return mine;
    },
  };
}
