import { type Connection, Schema } from "mongoose";

interface PresenceRecord {
  _id: string;
  seenAt: Date;
}

/** Processes that say from time to time that they are there, as they were last heard of. Real time. */
export interface Presence {
  init(): Promise<void>;
  note(id: string, at: Date): Promise<void>;
  /** How many were heard of after `from`. */
  countSince(from: Date): Promise<number>;
  /** A process ends and says so. */
  forget(id: string): Promise<void>;
}

/** After this long without a word a process is forgotten. */
const keepSeconds = 3_600;

const presenceSchema = new Schema<PresenceRecord>(
  { _id: { type: String, required: true }, seenAt: { type: Date, required: true } },
  { versionKey: false, strict: "throw" },
);
presenceSchema.index({ seenAt: 1 }, { expireAfterSeconds: keepSeconds });

/** Presences in a collection of their own. */
export function makePresence(connection: Connection, collection: string): Presence {
  const model = connection.model(collection, presenceSchema, collection);
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async note(_id, seenAt) {
      await model.updateOne({ _id }, { $set: { seenAt } }, { upsert: true });
    },
    countSince: (from) => model.countDocuments({ seenAt: { $gt: from } }),
    async forget(_id) {
      await model.deleteOne({ _id });
    },
  };
}
