import type { Connection, mongo } from "mongoose";
import type { DataKeys } from "../../shared/data-keys";
import type { TransactionState } from "../../shared/transaction-states";
import type { Payment, PaymentEvent } from "../domain/payment";
import { openMetadata, type PaymentRecord, sealMetadata, toPayment } from "./payment-record";
import { paymentCollection } from "./payment-store";

/** A payment as its agent sees it. */
export interface Transaction {
  payment: Payment;
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
  /** The agent's own, newest first, from behind a place on. */
  list(
    owner: Owner,
    page: { after: Place | undefined; status: TransactionState | undefined; limit: number },
  ): Promise<Transaction[]>;
  /** With its events. Undefined also for another agent's. */
  find(owner: Owner, id: string): Promise<(Transaction & { events: PaymentEvent[] }) | undefined>;
  /** Replaces the notes. Undefined also for another agent's. */
  setMetadata(owner: Owner, id: string, metadata: Record<string, string>): Promise<Transaction | undefined>;
}

const facts = { hashes: 0, answer: 0, events: 0, history: 0, attempts: 0 } as const;

/** An agent sees its own transactions, and those that its tenant made by itself. */
const seenBy = ({ tenant, agentId }: Owner) => ({
  tenant,
  $or: [{ agentId }, { agentId: { $exists: false } }],
});

/** Payments as agents see them. */
export function makeTransactionStore(connection: Connection, keys: Pick<DataKeys, "of">): TransactionStore {
  const payments = paymentCollection(connection);
  const toTransaction = async (record: PaymentRecord): Promise<Transaction> => {
    const key = await keys.of(record.tenant);
    return { payment: toPayment(record, key), metadata: openMetadata(key, record) };
  };
  return {
    async list(owner, { after, status, limit }) {
      const state = status === undefined ? {} : { state: status };
      const behind =
        after === undefined
          ? {}
          : { $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id: { $lt: after.id } }] };
      const filter: mongo.Filter<PaymentRecord> = { ...owner, ...state, ...behind };
      const found = payments.find(filter, { projection: facts }).sort({ createdAt: -1, _id: -1 }).limit(limit);
      return Promise.all((await found.toArray()).map(toTransaction));
    },
    async find(owner, id) {
      const record = await payments.findOne({ _id: id, ...seenBy(owner) }, { projection: { hashes: 0, answer: 0 } });
      return record === null ? undefined : { ...(await toTransaction(record)), events: record.events };
    },
    async setMetadata(owner, id, metadata) {
      const options = { projection: facts, returnDocument: "after" } as const;
      const sealed = sealMetadata(await keys.of(owner.tenant), { tenant: owner.tenant, id }, metadata);
      const noted = { $set: { metadata: sealed } };
      const record = await payments.findOneAndUpdate({ _id: id, ...seenBy(owner) }, noted, options);
      return record === null ? undefined : toTransaction(record);
    },
  };
}
