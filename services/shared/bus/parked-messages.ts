import { type Connection, mongo } from "mongoose";
import { systemClock } from "../kernel/clock";

/** Messages that could not be read or handled, kept until they are. */
export interface ParkedMessages {
  init(): Promise<void>;
  /** Stores a message with its latest cause. */
  park(message: ParkedMessage): Promise<void>;
  /** Lists messages after a given one, or from the first, oldest first. */
  list(after: string | undefined, limit: number): Promise<KeptMessage[]>;
  find(id: string): Promise<KeptMessage | undefined>;
  /** Removes a message that was handled. Returns false when it was parked again since it was read. */
  remove(message: KeptMessage): Promise<boolean>;
}

export interface ParkedMessage {
  stream: string;
  sequence: number;
  subject: string;
  payload: Uint8Array;
  cause: string;
}

export interface KeptMessage extends ParkedMessage {
  id: string;
  parkedAt: Date;
  /** How often it was parked. */
  times: number;
}

interface ParkedRecord extends Omit<ParkedMessage, "sequence" | "payload"> {
  /** <stream>/<sequence> */
  _id: string;
  sequence: number | bigint;
  payload: mongo.Binary;
  parkedAt: Date;
  times: number;
}

const toKept = ({ _id, sequence, payload, ...facts }: ParkedRecord): KeptMessage => ({
  ...facts,
  id: _id,
  sequence: Number.parseInt(String(sequence), 10),
  payload: Buffer.from(payload.buffer),
});

/** Parked messages in collection `parked_messages`. */
export function makeParkedMessages(connection: Connection): ParkedMessages {
  const parked = connection.collection<ParkedRecord>("parked_messages");
  const find: ParkedMessages["find"] = async (id) => {
    const record = await parked.findOne({ _id: id });
    return record === null ? undefined : toKept(record);
  };
  return {
    async init() {
      await connection.createCollection("parked_messages");
      await parked.createIndex({ parkedAt: 1, _id: 1 });
    },
    async park({ stream, sequence, subject, payload, cause }) {
      const facts = { stream, sequence, subject, parkedAt: systemClock.now() };
      const kept = { ...facts, payload: new mongo.Binary(Buffer.from(payload)) };
      const update = { $setOnInsert: kept, $set: { cause }, $inc: { times: 1 } };
      await parked.updateOne({ _id: `${stream}/${sequence}` }, update, { upsert: true });
    },
    async list(after, limit) {
      const last = after === undefined ? undefined : await find(after);
      const behind =
        last === undefined
          ? {}
          : { $or: [{ parkedAt: { $gt: last.parkedAt } }, { parkedAt: last.parkedAt, _id: { $gt: last.id } }] };
      const records = await parked.find(behind).sort({ parkedAt: 1, _id: 1 }).limit(limit).toArray();
      return records.map(toKept);
    },
    find,
    async remove({ id, times }) {
      const { deletedCount } = await parked.deleteOne({ _id: id, times });
      return deletedCount === 1;
    },
  };
}
