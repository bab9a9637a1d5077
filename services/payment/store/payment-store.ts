import { type Connection, mongo, Schema } from "mongoose";
import { beginningOfTime } from "../../shared/clock";
import { driverDb, isDuplicateKey } from "../../shared/mongo";
import type { Sealer } from "../../shared/sealing";
import type { Change, HistoryEntry, Payment } from "../domain/payment";
import { type PaymentRecord, toPayment, toRecord, toUpdate } from "./payment-record";

/** What an earlier request with the same id left behind. */
export interface StoredAnswer {
  hashes: Record<string, string>;
  answer: Buffer;
}

export interface PaymentStore {
  init(): Promise<void>;
  findAnswer(tenant: string, externalId: string): Promise<StoredAnswer | undefined>;
  /** Stores a new payment with its answer, or returns false when its id is taken. */
  insert(change: Change, hashes: Record<string, string>, answer: string): Promise<boolean>;
  find(id: string): Promise<Payment | undefined>;
  findByExternalId(
    tenant: string,
    externalId: string,
  ): Promise<{ payment: Payment; history: HistoryEntry[] } | undefined>;
  /** Replaces `before` by the change, with its events and history; false when somebody else was first. */
  save(before: Payment, change: Change): Promise<boolean>;
  /** Payments whose time has come, the longest due first, and the ids of those that cannot be read. */
  due(at: Date, limit: number): Promise<{ payments: Payment[]; unreadable: string[] }>;
  /** Puts payments off, so that they do not stand in the way of others. */
  setAside(ids: readonly string[], until: Date): Promise<void>;
  /** Takes a due payment: of several takers, one gets true. */
  take(payment: Payment, until: Date): Promise<boolean>;
  /** Payments that nobody has looked at since then. */
  countOverdue(before: Date): Promise<number>;
  /** Payments that their rail leaves without an answer, however often it is asked. */
  countUnresolved(tries: number): Promise<number>;
}

/** One record that does not open, for example under a lost key, must not keep the others from being read. */
function readAll(records: readonly PaymentRecord[], sealer: Sealer): { payments: Payment[]; unreadable: string[] } {
  const payments: Payment[] = [];
  const unreadable: string[] = [];
  for (const record of records) {
    try {
      payments.push(toPayment(record, sealer));
    } catch {
      unreadable.push(record._id);
    }
  }
  return { payments, unreadable };
}

/** Owner of the indexes. The hot paths below use the driver's collection with the same name. */
const paymentSchema = new Schema(
  {
    _id: String,
    tenant: { type: String, required: true },
    externalId: { type: String, required: true },
    dueAt: Date,
    relayDue: Date,
    lastEventAt: { type: Date, required: true },
  },
  { strict: false },
)
  .index({ tenant: 1, externalId: 1 }, { unique: true })
  .index({ dueAt: 1 }, { sparse: true })
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ lastEventAt: 1 });

/** The collection of payments, for the stores of this service. */
export const paymentCollection = (connection: Connection): mongo.Collection<PaymentRecord> =>
  driverDb(connection).collection<PaymentRecord>("payments");

const withHistory = { events: 0, answer: 0, hashes: 0 } as const;
const withoutStory = { ...withHistory, history: 0 } as const;

/** Payments, one document each: state, history and events that are still to be published are one atomic write. */
export function makePaymentStore(connection: Connection, sealer: Sealer): PaymentStore {
  const payments = paymentCollection(connection);
  return {
    async init() {
      const model = connection.model("Payment", paymentSchema, "payments");
      await model.createCollection();
      await model.createIndexes();
    },
    async findAnswer(tenant, externalId) {
      const projection = { hashes: 1, answer: 1 };
      const record = await payments.findOne({ tenant, externalId }, { projection });
      if (record === null) return undefined;
      const { hashes, answer } = record;
      return { hashes: Object.fromEntries(hashes), answer: Buffer.from(answer.buffer) };
    },
    async insert(change, hashes, answer) {
      const record = toRecord(change, Object.entries(hashes), new mongo.Binary(Buffer.from(answer)), sealer);
      try {
        await payments.insertOne(record);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async find(id) {
      const record = await payments.findOne({ _id: id }, { projection: withoutStory });
      return record === null ? undefined : toPayment(record, sealer);
    },
    async findByExternalId(tenant, externalId) {
      const record = await payments.findOne({ tenant, externalId }, { projection: withHistory });
      if (record === null) return undefined;
      const history = record.history.map(({ amountMinor, currency, ...entry }) => ({
        ...entry,
        amount: { minor: amountMinor, currency },
      }));
      return { payment: toPayment(record, sealer), history };
    },
    async save(before, change) {
      const update = toUpdate(change);
      const { modifiedCount } = await payments.updateOne({ _id: before.id, version: before.version }, update);
      return modifiedCount === 1;
    },
    async due(at, limit) {
      const filter = { dueAt: { $lte: at } };
      const records = await payments
        .find(filter, { projection: withoutStory })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      return readAll(records, sealer);
    },
    async setAside(ids, until) {
      await payments.updateMany({ _id: { $in: [...ids] }, dueAt: { $exists: true } }, { $set: { dueAt: until } });
    },
    async take(payment, until) {
      const { id, version, dueAt } = payment;
      if (dueAt === undefined) return false;
      const { modifiedCount } = await payments.updateOne({ _id: id, version, dueAt }, { $set: { dueAt: until } });
      return modifiedCount === 1;
    },
    countOverdue: (before) => payments.countDocuments({ dueAt: { $lte: before } }),
    countUnresolved: (tries) => payments.countDocuments({ dueAt: { $gt: beginningOfTime }, tries: { $gte: tries } }),
  };
}
