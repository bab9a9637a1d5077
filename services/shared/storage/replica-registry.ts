import type { Connection } from "mongoose";

interface ReplicaRecord {
  _id: string;
  seenAt: Date;
}

/** Replicas that report from time to time that they are alive, with the time of the last report. Real time. */
export interface ReplicaRegistry {
  init(): Promise<void>;
  note(id: string, at: Date): Promise<void>;
  /** Counts the replicas that have reported after `from`. */
  countSince(from: Date): Promise<number>;
  /** Removes a replica that ends. */
  forget(id: string): Promise<void>;
}

/** A replica is removed this long after its last report. */
const keepSeconds = 3_600;

/** Makes a registry in a collection of its own. */
export function makeReplicaRegistry(connection: Connection, collection: string): ReplicaRegistry {
  const replicas = connection.collection<ReplicaRecord>(collection);
  return {
    async init() {
      await connection.createCollection(collection);
      await replicas.createIndex({ seenAt: 1 }, { expireAfterSeconds: keepSeconds });
    },
    async note(_id, seenAt) {
      await replicas.updateOne({ _id }, { $set: { seenAt } }, { upsert: true });
    },
    countSince: (from) => replicas.countDocuments({ seenAt: { $gt: from } }),
    async forget(_id) {
      await replicas.deleteOne({ _id });
    },
  };
}
