import type { Connection } from "mongoose";

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

/** Presences in a collection of their own. */
export function makePresence(connection: Connection, collection: string): Presence {
  const presences = connection.collection<PresenceRecord>(collection);
  return {
    async init() {
      await connection.createCollection(collection);
      await presences.createIndex({ seenAt: 1 }, { expireAfterSeconds: keepSeconds });
    },
    async note(_id, seenAt) {
      await presences.updateOne({ _id }, { $set: { seenAt } }, { upsert: true });
    },
    countSince: (from) => presences.countDocuments({ seenAt: { $gt: from } }),
    async forget(_id) {
      await presences.deleteOne({ _id });
    },
  };
}
