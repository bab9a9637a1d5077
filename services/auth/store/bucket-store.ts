import { type Connection, mongo } from "mongoose";
import { isDuplicateKey } from "../../shared/mongo";
import type { Bucket } from "../../shared/token-bucket";

interface BucketRecord extends Bucket {
  _id: string;
  /** Grows with every write: two writers cannot both give the same tokens. */
  version: number;
}

/** A bucket and what a writer must name to change it. */
export interface StoredBucket extends Bucket {
  version: number;
}

export interface BucketStore {
  init(): Promise<void>;
  find(name: string): Promise<StoredBucket | undefined>;
  /** Puts `next` in the place of `before`; false when another writer was first. */
  replace(name: string, before: StoredBucket | undefined, next: Bucket): Promise<boolean>;
}

/** After this long without a call a bucket is full, and its record goes. */
const keepSeconds = 3_600;

/**
 * Buckets of rate limits. They are not worth waiting for a disk or a majority: a crash gives some tokens back, nothing more.
 */
export function makeBucketStore(connection: Connection): BucketStore {
  const options = { writeConcern: new mongo.WriteConcern(1, undefined, false) };
  const buckets = connection.collection<BucketRecord>("rate_buckets", options);
  return {
    async init() {
      await connection.createCollection("rate_buckets");
      await buckets.createIndex({ at: 1 }, { expireAfterSeconds: keepSeconds });
    },
    async find(name) {
      const record = await buckets.findOne({ _id: name });
      return record === null ? undefined : { tokens: record.tokens, at: record.at, version: record.version };
    },
    async replace(name, before, { tokens, at }) {
      try {
        if (before === undefined) {
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
    },
  };
}
