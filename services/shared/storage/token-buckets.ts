import { type Connection, mongo } from "mongoose";
import type { Clock } from "../kernel/clock";
import { type Bucket, type BucketDemand, takeTokens } from "../kernel/token-bucket";
import { conflict, retryOnConflict } from "../process/retry-on-conflict";
import { isDuplicateKey } from "./mongo";

/** The tokens that were taken from a bucket, and what remains in it. */
export interface TokensTaken {
  granted: number;
  left: number;
}

/** Token buckets that all replicas of a service share. */
export interface TokenBuckets {
  init(): Promise<void>;
  /** Takes the available tokens, at most those wanted. Throws UNAVAILABLE when other writers were always faster. */
  take(name: string, demand: BucketDemand): Promise<TokensTaken>;
}

interface BucketRecord extends Bucket {
  _id: string;
  /** Increases with every write: two writers cannot both give out the same tokens. */
  version: number;
}

/** A bucket is full this long after its last call, and its record is removed. */
const keepSeconds = 3_600;

/**
 * Stores buckets in collection `rate_buckets`. They are not worth waiting for a disk or a majority: a crash only gives some tokens back.
 * Calls for one bucket wait for one another, so that only other replicas can conflict.
 */
export function makeTokenBuckets(connection: Connection, clock: Clock): TokenBuckets {
  const options = { writeConcern: new mongo.WriteConcern(1, undefined, false) };
  const buckets = connection.collection<BucketRecord>("rate_buckets", options);
  const last = new Map<string, Promise<unknown>>();

  /** Replaces `before` by `next`; false when another writer was first. */
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
