import { type Connection, Schema } from "mongoose";
import type { Tx } from "../../shared/mongo";
import type { EventfulRecord } from "./record-outbox";

/** A person or company that was erased. */
export interface Erasure {
  participantId: string;
  tenant: string;
  erasedAt: Date;
}

/** One erasure as it is kept, with the one event that tells others of it. */
export interface ErasureRecord extends EventfulRecord {
  tenant: string;
  erasedAt: Date;
}

export interface ErasureStore {
  init(): Promise<void>;
  /** Notes an erasure, to be told to others. One that is noted already stays as it is. */
  note(erasure: Erasure, traceparent: string, tx: Tx): Promise<void>;
}

export const erasureCollection = "erasures";

const erasureSchema = new Schema<ErasureRecord>(
  { _id: String },
  { versionKey: false, strict: "throw", collection: erasureCollection },
);
erasureSchema
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ updatedAt: 1 });

/** Erasures of all tenants, one document each; they name nobody. */
export function makeErasureStore(connection: Connection): ErasureStore {
  const model = connection.model("Erasure", erasureSchema, erasureCollection);
  const erasures = connection.collection<ErasureRecord>(erasureCollection);
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async note({ participantId, tenant, erasedAt }, traceparent, tx) {
      const told = { traceparent, published: 0, eventCount: 1, relayDue: erasedAt };
      const facts = { tenant, erasedAt, updatedAt: erasedAt, ...told };
      await erasures.updateOne({ _id: participantId }, { $setOnInsert: facts }, { ...tx, upsert: true });
    },
  };
}
