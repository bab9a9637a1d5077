import { type Connection, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import type { Tx } from "../../shared/storage/mongo";
import { date, number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Erasure } from "../domain/erasure";
import { dueRecords, type NoteDue } from "./due-records";
import { type EventfulRecord, eventfulFields } from "./record-outbox";

/** One erasure as it is stored, with the single event that notifies others of it. */
export interface ErasureRecord extends EventfulRecord {
  tenant: string;
  erasedAt: Date;
  tries: number;
  dueAt?: Date;
  outstandingSince?: Date;
}

/** An erasure that the vendors must be notified of. */
export interface DueErasure {
  id: string;
  dueAt: Date;
}

export interface ErasureStore {
  init(): Promise<void>;
  /** Notes an erasure, to be published. One that is already noted stays as it is. */
  note(erasure: Erasure, traceparent: string, tx: Tx): Promise<void>;
  find(participantId: string): Promise<Erasure | undefined>;
  /** Those with a due time, earliest first. */
  upcoming(limit: number): Promise<DueErasure[]>;
  /** Postpones a due erasure: one of several concurrent callers gets true. */
  take(due: DueErasure, until: Date): Promise<boolean>;
  /** Stores the result of notifying the vendors. */
  save(erasure: Erasure): Promise<void>;
  /** Those with an outstanding acknowledgement of a vendor, longest outstanding first. */
  listOutstanding(limit: number): Promise<Erasure[]>;
  /** Number of erasures with an outstanding acknowledgement, and the time since which the oldest is. */
  outstanding(): Promise<{ count: number; oldest: Date | undefined }>;
}

export const erasureCollection = "erasures";

const erasureSchema = new Schema<ErasureRecord>(
  { ...eventfulFields, tenant: text, erasedAt: date, tries: number, dueAt: Date, outstandingSince: Date },
  strictDocument,
);
erasureSchema
  .index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } })
  .index({ outstandingSince: 1 }, { partialFilterExpression: { outstandingSince: { $exists: true } } })
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ updatedAt: 1 });

const isOutstanding = { outstandingSince: { $gt: beginningOfTime } };

/** Erasures of all tenants, one document each; they name no person. */
export function makeErasureStore(connection: Connection, noteDue: NoteDue = () => {}): ErasureStore {
  const model = connection.model("Erasure", erasureSchema, erasureCollection);
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async note({ participantId, tenant, erasedAt, tries, dueAt, outstandingSince }, traceparent, tx) {
      const relayed = { traceparent, published: 0, eventCount: 1, relayDue: erasedAt };
      const facts = { tenant, erasedAt, updatedAt: erasedAt, tries, ...defined({ dueAt, outstandingSince }) };
      const first = { $setOnInsert: { ...facts, ...relayed } };
      await model.updateOne({ _id: participantId }, first, { ...tx, upsert: true });
      if (dueAt !== undefined) noteDue(dueAt);
    },
    async find(participantId) {
      const record = await model.findById(participantId).lean<ErasureRecord>();
      return record === null ? undefined : toErasure(record);
    },
    ...dueRecords(model),
    async save({ participantId, dueAt, tries, outstandingSince }) {
      const gone = {
        ...(dueAt === undefined && { dueAt: "" as const }),
        ...(outstandingSince === undefined && { outstandingSince: "" as const }),
      };
      const changes = {
        $set: { tries, ...defined({ dueAt, outstandingSince }) },
        ...(Object.keys(gone).length > 0 && { $unset: gone }),
      };
      await model.updateOne({ _id: participantId }, changes);
      if (dueAt !== undefined) noteDue(dueAt);
    },
    async listOutstanding(limit) {
      const found = model.find(isOutstanding).sort({ outstandingSince: 1 }).limit(limit);
      const records = await found.lean<ErasureRecord[]>();
      return records.map(toErasure);
    },
    async outstanding() {
      const first = model.findOne(isOutstanding).sort({ outstandingSince: 1 });
      const oldest = await first.lean<ErasureRecord>();
      return { count: await model.countDocuments(isOutstanding), oldest: oldest?.outstandingSince };
    },
  };
}

const defined = ({ dueAt, outstandingSince }: Pick<Erasure, "dueAt" | "outstandingSince">) => ({
  ...(dueAt !== undefined && { dueAt }),
  ...(outstandingSince !== undefined && { outstandingSince }),
});

const toErasure = (record: ErasureRecord): Erasure => {
  const { _id: participantId, tenant, erasedAt, tries, dueAt, outstandingSince } = record;
  return { participantId, tenant, erasedAt, tries, dueAt, outstandingSince };
};
