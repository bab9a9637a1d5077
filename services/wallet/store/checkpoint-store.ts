import { type Connection, type mongo, Schema } from "mongoose";
import type { KeyedRecord, KeyUse } from "../../shared/storage/key-use";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { anyText, date, listOf, number, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import { lineNames } from "../domain/account";
import type { Checkpoint, Head } from "../domain/checkpoint";
import { type LedgerKeys, renewCover } from "../domain/ledger-keys";

interface CheckpointRecord extends Omit<Checkpoint, "number" | "heads"> {
  _id: number;
  heads: Head[];
}

export interface CheckpointStore {
  init(): Promise<void>;
  latest(tx: Tx): Promise<Checkpoint | undefined>;
  /** Returns the seals of those numbered checkpoints that exist. */
  sealsOf(numbers: readonly number[]): Promise<Map<number, string>>;
  /** Adds a checkpoint. Fails with a duplicate key when another one has sealed this number. */
  add(tx: Tx, checkpoint: Checkpoint): Promise<void>;
  /** Yields every checkpoint, the oldest first. */
  all(): AsyncIterable<Checkpoint>;
}

const checkpointSchema = new Schema<CheckpointRecord>(
  {
    _id: number,
    at: date,
    heads: listOf(part({ account: text, line: oneOf(lineNames), seq: number, hash: text })),
    // Empty for the first.
    previous: anyText,
    seal: text,
    cover: text,
  },
  strictDocument,
);

/** Returns what is to be covered by the newest key. */
export const coveredCheckpoints = (ring: string, keys: LedgerKeys): KeyUse => ({
  ring,
  collection: "checkpoints",
  reads: ["at", "heads", "previous", "seal"],
  fields: [
    {
      path: "cover",
      renew(_cover, record) {
        const text = renewCover(keys, toCheckpoint(record as KeyedRecord & CheckpointRecord));
        return text === undefined ? { state: "newest" } : { state: "renewed", text };
      },
    },
  ],
});

/** Stores sealed checkpoints. They are only ever added, and covered anew by a newer key. */
export function makeCheckpointStore(connection: Connection): CheckpointStore {
  const model = connection.model("Checkpoint", checkpointSchema, "checkpoints");
  const checkpoints: mongo.Collection<CheckpointRecord> = driverDb(connection).collection("checkpoints");
  return {
    async init() {
      await model.createCollection();
    },
    async latest({ session }) {
      const [record] = await checkpoints.find({}, { session }).sort({ _id: -1 }).limit(1).toArray();
      return record === undefined ? undefined : toCheckpoint(record);
    },
    async sealsOf(numbers) {
      if (numbers.length === 0) return new Map();
      const found = checkpoints.find({ _id: { $in: [...numbers] } }, { projection: { seal: 1 } });
      return new Map((await found.toArray()).map(({ _id, seal }) => [_id, seal]));
    },
    async add({ session }, { number, heads, ...checkpoint }) {
      await checkpoints.insertOne({ _id: number, ...checkpoint, heads: [...heads] }, { session });
    },
    async *all() {
      for (let after = 0; ; ) {
        // One at a time: each may be large.
        const [record] = await checkpoints
          .find({ _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(1)
          .toArray();
        if (record === undefined) return;
        yield toCheckpoint(record);
        after = record._id;
      }
    },
  };
}

const toCheckpoint = ({ _id, ...checkpoint }: CheckpointRecord): Checkpoint => ({ number: _id, ...checkpoint });
