import { type Connection, type mongo, Schema } from "mongoose";
import type { TransactionState } from "../../shared/kernel/transaction-states";
import { noteExternalId } from "../../shared/process/call-context";
import type { DataKeys } from "../../shared/storage/data-keys";
import { strictDocument, text } from "../../shared/storage/stored-fields";
import type { Payment, PaymentEvent } from "../domain/payment";
import { type PaymentRecord, toPayment } from "./payment-record";
import { paymentCollection } from "./payment-store";

/** A payment, as an agent sees it. */
export interface Transaction {
  payment: Payment;
  /** The agent's own notes; no other agent sees them. */
  metadata: Readonly<Record<string, string>>;
}

interface Owner {
  tenant: string;
  agentId: string;
}

/** Where a page ended. */
export interface Place {
  createdAt: Date;
  id: string;
}

export interface TransactionStore {
  init(): Promise<void>;
  /** Lists everything that `find` finds, the newest first, after a place. */
  list(
    owner: Owner,
    page: { after: Place | undefined; status: TransactionState | undefined; limit: number },
  ): Promise<Transaction[]>;
  /** Finds a payment with its events: the agent's own, or one that its tenant made itself; undefined also for another agent's payment. */
  find(owner: Owner, id: string): Promise<(Transaction & { events: PaymentEvent[] }) | undefined>;
  /** Replaces the agent's notes. Returns undefined also for another agent's transaction. */
  setMetadata(owner: Owner, id: string, metadata: Record<string, string>): Promise<Transaction | undefined>;
}

interface NoteRecord {
  /** `<payment>|<agent>`. */
  _id: string;
  /** The notes, sealed with the tenant's key. */
  sealed: string;
}

const noteSchema = new Schema<NoteRecord>({ _id: text, sealed: text }, strictDocument);

const facts = { hashes: 0, answer: 0, actions: 0, events: 0, history: 0, attempts: 0 } as const;

/** Returns the agents whose payments an agent sees: its own, and those that its tenant made itself, which have no agent. */
const seenBy = ({ agentId }: Owner): (string | null)[] => [agentId, null];

const noteId = ({ agentId }: Owner, paymentId: string): string => `${paymentId}|${agentId}`;
const placeOf = ({ tenant, agentId }: Owner, paymentId: string): string =>
  `${tenant}|transaction_notes|${paymentId}|${agentId}`;

const isNewer = (one: PaymentRecord, other: PaymentRecord): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one._id < other._id ? 1 : -1);

/** Stores payments as agents see them, and each agent's notes. */
export function makeTransactionStore(connection: Connection, keys: Pick<DataKeys, "of">): TransactionStore {
  const payments = paymentCollection(connection);
  const notes = connection.model("TransactionNote", noteSchema, "transaction_notes");

  const toTransactions = async (owner: Owner, records: readonly PaymentRecord[]): Promise<Transaction[]> => {
    if (records.length === 0) return [];
    const key = await keys.of(owner.tenant);
    const ids = records.map(({ _id }) => noteId(owner, _id));
    const found = await notes.find({ _id: { $in: ids } }).lean<NoteRecord[]>();
    const sealed = new Map(found.map((note) => [note._id, note.sealed]));
    return records.map((record) => {
      const note = sealed.get(noteId(owner, record._id));
      const text = note === undefined ? "{}" : key.open(note, placeOf(owner, record._id)).toString("utf8");
      return { payment: toPayment(record, key), metadata: JSON.parse(text) as Record<string, string> };
    });
  };
  const findRecord = async (owner: Owner, id: string): Promise<PaymentRecord | null> => {
    const seen = { $in: seenBy(owner) } as mongo.Condition<string | undefined>;
    const projection = { hashes: 0, answer: 0 };
    const record = await payments.findOne({ _id: id, tenant: owner.tenant, agentId: seen }, { projection });
    if (record !== null) noteExternalId(record.externalId);
    return record;
  };
  return {
    async init() {
      await notes.createCollection();
    },
    async list(owner, { after, status, limit }) {
      const state = status === undefined ? {} : { state: status };
      const behind =
        after === undefined
          ? {}
          : { $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id: { $lt: after.id } }] };
      // Each kind of owner is a query of its own, so that an index answers each in the order of the page.
      const pages = await Promise.all(
        seenBy(owner).map((agentId) => {
          const filter = { tenant: owner.tenant, agentId, ...state, ...behind } as mongo.Filter<PaymentRecord>;
          return payments.find(filter, { projection: facts }).sort({ createdAt: -1, _id: -1 }).limit(limit).toArray();
        }),
      );
      return toTransactions(owner, pages.flat().toSorted(isNewer).slice(0, limit));
    },
    async find(owner, id) {
      const record = await findRecord(owner, id);
      if (record === null) return undefined;
      const [transaction] = await toTransactions(owner, [record]);
      return transaction === undefined ? undefined : { ...transaction, events: record.events };
    },
    async setMetadata(owner, id, metadata) {
      const record = await findRecord(owner, id);
      if (record === null) return undefined;
      const sealed = (await keys.of(owner.tenant)).seal(JSON.stringify(metadata), placeOf(owner, id));
      await notes.updateOne({ _id: noteId(owner, id) }, { $set: { sealed } }, { upsert: true });
      const [transaction] = await toTransactions(owner, [record]);
      return transaction;
    },
  };
}
