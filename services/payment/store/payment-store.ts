import type { Connection, mongo } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { noteExternalId } from "../../shared/process/call-context";
import { collectionOf } from "../../shared/storage/collection-of";
import type { DataKeys, TenantKey } from "../../shared/storage/data-keys";
import { makeGroupUpdate } from "../../shared/storage/group-update";
import { driverDb, isDuplicateKey, type Transact, type Tx } from "../../shared/storage/mongo";
import type { KeptFact } from "../domain/fact";
import { type Change, type HistoryEntry, type Payment, type PaymentEvent, update } from "../domain/payment";
import type { ActionFacts } from "../domain/payment-action";
import { withReleases } from "../domain/promises";
import type { ReceiptFacts } from "../domain/receipt";
import {
  type InsertResult,
  makeFindAnswer,
  makeInsert,
  type NoteDue,
  type StoredAnswer,
  toAnswer,
} from "./acceptances";
import { type CaseRecord, caseModel, noteUpdates } from "./case-record";
import { type EvidenceKeys, makeEvidenceKeys } from "./evidence-keys";
import { type Attempt, openFact, toAttempt } from "./fact-record";
import { toHistoryEntry } from "./history-record";
import type { ParticipantKeys } from "./participant-keys";
import { type Acceptance, type PaymentRecord, toPayment, toUpdate } from "./payment-record";
import { paymentModel } from "./payment-schema";
import { makeCloseBlock } from "./promise-places";
import { type News, noNews, queueStoredEvents } from "./stored-events";

/** First answers to captures (`capture`), voids (`void`) and refunds (by their ids). */
export type KeptActions = Readonly<Record<string, ActionFacts | undefined>>;

/** A payment with its operations, as lookups show it. */
export interface PaymentView {
  payment: Payment;
  history: HistoryEntry[];
  actions: KeptActions;
}

/** A payment with everything that happened to it. */
export interface PaymentStory extends PaymentView {
  events: PaymentEvent[];
  attempts: Attempt[];
  /** What providers reported about money, with their own texts. */
  facts: KeptFact[];
}

/** The payment as it is stored now, or why it is not: another writer was first, or a refund's id belongs to another payment. */
export type SaveResult = { kind: "saved"; payment: Payment } | { kind: "stale" } | { kind: "taken" };

/** Access to payments that wait, for their background processing. */
export interface DuePayments {
  /** Returns payments that are due, the longest due first, and the ids of those that cannot be read. */
  due(at: Date, limit: number): Promise<{ payments: Payment[]; unreadable: string[] }>;
  /** Returns the earliest time at which a payment is due; undefined when none waits. */
  nextDue(): Promise<Date | undefined>;
  /** Postpones payments, so that they do not delay others. */
  setAside(ids: readonly string[], until: Date): Promise<void>;
  /** Takes a due payment: one of several takers gets it as it is stored then, the others get nothing. */
  take(payment: Payment, until: Date): Promise<Payment | undefined>;
  /** Counts payments that have been due since before this time. */
  countOverdue(before: Date): Promise<number>;
  /** Counts payments whose provider leaves them without an answer, however often it is asked. */
  countUnresolved(attempts: number): Promise<number>;
  /** Counts payments that wait for a person. */
  countEscalated(): Promise<number>;
  /** Counts payments that are not final, by state, with the time of the oldest; if there are very many, only those that are due first. */
  countOpen(): Promise<OpenPayments[]>;
}

export interface OpenPayments {
  state: Payment["state"];
  count: number;
  oldest: Date;
}

const maxCounted = 50_000;

export interface PaymentStore extends DuePayments {
  init(): Promise<void>;
  findAnswer(tenant: string, externalId: string): Promise<StoredAnswer | undefined>;
  /** Stores a new payment. From then on its quote belongs to it: no other payment with that quote is stored. */
  insert(change: Change, acceptance: Acceptance, tx?: Tx): Promise<InsertResult>;
  /** Stores the first answer unless there is one already; returns the stored one. */
  keepAnswer(id: string, answer: ReceiptFacts): Promise<ReceiptFacts>;
  /** Stores the first answer to a capture, void or refund unless there is one already; returns the stored one. */
  keepAction(id: string, action: string, facts: ActionFacts): Promise<ActionFacts>;
  /** Returns the payment that has used a quote of the tenant. */
  findQuoteUse(tenant: string, quoteId: string): Promise<{ id: string; externalId: string } | undefined>;
  /**
   * Closes a block permanently: no payment with a promise out of it can be stored any more. Returns what was promised to stored payments.
   */
  closeBlock(blockId: string): Promise<bigint>;
  find(id: string): Promise<Payment | undefined>;
  /** Finds a payment by the caller's id, or by the id of one of its legs or refunds. */
  findByExternalId(tenant: string, externalId: string): Promise<PaymentView | undefined>;
  findStory(tenant: string, externalId: string): Promise<PaymentStory | undefined>;
  /** Finds the payment that the tenant's refund id belongs to. */
  findByRefundId(tenant: string, externalRefundId: string): Promise<Payment | undefined>;
  /**
   * Replaces `before` by the change, with its events, history, facts and case, and records the calls that led to it. `also` is written in
   * the same transaction; when it returns false, another writer was first there, and nothing is saved.
   */
  save(
    before: Payment,
    change: Change,
    attempts?: readonly Attempt[],
    also?: (tx: Tx) => Promise<boolean>,
  ): Promise<SaveResult>;
}

/** Reads records, skipping any that cannot be opened, for example under a lost key, so that the others can still be read. */
export async function readAll(
  records: readonly PaymentRecord[],
  keys: Pick<DataKeys, "of">,
): Promise<{ payments: Payment[]; unreadable: string[] }> {
  const payments: Payment[] = [];
  const unreadable: string[] = [];
  for (const record of records) {
    try {
      payments.push(toPayment(record, await keys.of(record.tenant)));
    } catch {
      unreadable.push(record._id);
    }
  }
  return { payments, unreadable };
}

/** Returns the collection of payments, for the stores of this service. */
export const paymentCollection = (connection: Connection): mongo.Collection<PaymentRecord> =>
  driverDb(connection).collection<PaymentRecord>("payments");

const withoutStory = { events: 0, hashes: 0, answer: 0, actions: 0, history: 0, attempts: 0, "facts.raw": 0 } as const;

/** Ends a transaction in which another writer was first. */
class Stale extends Error {}

/** Stores payments in one document each: state, history and unpublished events are one atomic write. */
export function makePaymentStore(
  connection: Connection,
  keys: Pick<DataKeys, "of">,
  transact: Transact,
  people: Pick<ParticipantKeys, "find">,
  noteDue: NoteDue = () => {},
  news: News = noNews,
): PaymentStore {
  const evidence = makeEvidenceKeys(keys, people);
  const model = paymentModel(connection);
  const payments = paymentCollection(connection);
  const read = async (record: PaymentRecord | null): Promise<Payment | undefined> =>
    record === null ? undefined : toPayment(record, await keys.of(record.tenant));
  const findRecord = async (tenant: string, id: string, projection: object): Promise<PaymentRecord | null> =>
    (await payments.findOne({ tenant, externalId: id }, { projection })) ??
    (await payments.findOne({ tenant, childIds: id }, { projection }));
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    findAnswer: makeFindAnswer(payments, keys),
    insert: makeInsert(payments, keys, noteDue, news),
    keepAnswer: makeKeepAnswer(payments),
    keepAction: makeKeepAction(payments),
    async findQuoteUse(tenant, quoteId) {
      const record = await payments.findOne({ tenant, quoteId }, { projection: { externalId: 1 } });
      return record === null ? undefined : { id: record._id, externalId: record.externalId };
    },
    closeBlock: makeCloseBlock(connection),
    async find(id) {
      const payment = await read(await payments.findOne({ _id: id }, { projection: withoutStory }));
      // The log lines of a caller that named it only by our id then show the caller's id too.
      if (payment !== undefined) noteExternalId(payment.externalId);
      return payment;
    },
    async findByExternalId(tenant, externalId) {
      const record = await findRecord(tenant, externalId, {
        hashes: 0,
        answer: 0,
        events: 0,
        attempts: 0,
        "facts.raw": 0,
      });
      return record === null ? undefined : toView(record, await keys.of(tenant));
    },
    findStory: makeFindStory(findRecord, keys, evidence),
    findByRefundId: async (tenant, externalRefundId) =>
      read(await payments.findOne({ tenant, refundIds: externalRefundId }, { projection: withoutStory })),
    save: makeSave(payments, collectionOf(caseModel(connection)), { keys, evidence, noteDue, news }, transact),
    ...makeDuePayments(payments, keys, noteDue),
  };
}

type FindRecord = (tenant: string, id: string, projection: object) => Promise<PaymentRecord | null>;

const makeFindStory =
  (findRecord: FindRecord, keys: Pick<DataKeys, "of">, evidence: EvidenceKeys): PaymentStore["findStory"] =>
  async (tenant, externalId) => {
    const record = await findRecord(tenant, externalId, { hashes: 0, answer: 0 });
    if (record === null) return undefined;
    const view = toView(record, await keys.of(tenant));
    const openers = await evidence.openers(view.payment);
    const facts = (record.facts ?? []).map((fact) => openFact(openers[fact.role], record, fact));
    return { ...view, events: record.events, attempts: (record.attempts ?? []).map(toAttempt), facts };
  };

interface SaveDeps {
  keys: Pick<DataKeys, "of">;
  evidence: EvidenceKeys;
  noteDue: NoteDue;
  news: News;
}

/** Saves a change, with its case where it has one. */
function makeSave(
  payments: mongo.Collection<PaymentRecord>,
  cases: mongo.Collection<CaseRecord>,
  { keys, evidence, noteDue, news }: SaveDeps,
  transact: Transact,
): PaymentStore["save"] {
  const updateOne = makeGroupUpdate(payments);
  return async (before, decided, calls, also) => {
    const attempts = calls ?? [];
    const { id, version } = before;
    const events = withReleases(before, decided.next, decided.events);
    const change = { ...update(decided, { version: version + 1 }), events };
    const key = await keys.of(before.tenant);
    const hasEvidence =
      attempts.some((attempt) => attempt.evidence !== undefined) ||
      change.caseNotes.length > 0 ||
      change.next.facts.length > before.facts.length;
    const sealing = hasEvidence ? await evidence.of(before) : undefined;
    const stored = toUpdate(before, change, attempts, { key, evidence: sealing });
    const writeIn = async (tx: Tx): Promise<boolean> =>
      (await payments.updateOne({ _id: id, version }, stored, tx)).modifiedCount === 1;
    const saved = (): SaveResult => {
      if (change.next.execution.dueAt !== undefined) noteDue(change.next.execution.dueAt);
      queueStoredEvents(news, before, change);
      return { kind: "saved", payment: change.next };
    };
    try {
      if (change.caseNotes.length === 0 && also === undefined) {
        return (await updateOne({ id, version, update: stored })) ? saved() : { kind: "stale" };
      }
      await transact(async (tx) => {
        if (!(await writeIn(tx))) throw new Stale();
        for (const note of sealing === undefined ? [] : noteUpdates(change.next, change.caseNotes, sealing)) {
          await cases.updateOne(note.filter, note.update, { ...tx, upsert: true });
        }
        if (also !== undefined && !(await also(tx))) throw new Stale();
      });
      return saved();
    } catch (error) {
      if (error instanceof Stale) return { kind: "stale" };
      if (isDuplicateKey(error)) return { kind: "taken" };
      // The payment may have been stored all the same.
      news.doubt();
      throw error;
    }
  };
}

/** Writes the first answer of a payment once; a later writer gets the one that exists. */
const makeKeepAnswer =
  (payments: mongo.Collection<PaymentRecord>): PaymentStore["keepAnswer"] =>
  async (id, answer) => {
    const { modifiedCount } = await payments.updateOne({ _id: id, answer: { $exists: false } }, { $set: { answer } });
    if (modifiedCount === 1) return answer;
    const record = await payments.findOne({ _id: id }, { projection: { answer: 1 } });
    if (record?.answer === undefined) throw new DomainError("INTERNAL", "an answered payment has no answer");
    return toAnswer(record.answer);
  };

const toAction = (stored: ActionFacts): ActionFacts => ({ ...stored, issuer: stored.issuer, reason: stored.reason });

/** Writes the first answer to an action once, in the same way. */
const makeKeepAction =
  (payments: mongo.Collection<PaymentRecord>): PaymentStore["keepAction"] =>
  async (id, action, facts) => {
    const place = `actions.${action}`;
    const { modifiedCount } = await payments.updateOne(
      { _id: id, [place]: { $exists: false } },
      { $set: { [place]: facts } },
    );
    if (modifiedCount === 1) return facts;
    const record = await payments.findOne({ _id: id }, { projection: { actions: 1 } });
    const kept = record?.actions?.[action];
    if (kept === undefined) throw new DomainError("INTERNAL", "an answered action has no answer");
    return toAction(kept);
  };

/** Makes the part of the store that the background processing of waiting payments uses. */
function makeDuePayments(
  payments: mongo.Collection<PaymentRecord>,
  keys: Pick<DataKeys, "of">,
  noteDue: NoteDue,
): DuePayments {
  return {
    async due(at, limit) {
      const filter = { dueAt: { $lte: at } };
      const records = await payments
        .find(filter, { projection: withoutStory })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      return readAll(records, keys);
    },
    async nextDue() {
      const first = { projection: { dueAt: 1 }, sort: { dueAt: 1 } } as const;
      return (await payments.findOne({ dueAt: { $gt: beginningOfTime } }, first))?.dueAt;
    },
    async setAside(ids, until) {
      await payments.updateMany({ _id: { $in: [...ids] }, dueAt: { $exists: true } }, { $set: { dueAt: until } });
      noteDue(until);
    },
    async take(payment, until) {
      const { id, version } = payment;
      const { dueAt } = payment.execution;
      if (dueAt === undefined) return undefined;
      const { modifiedCount } = await payments.updateOne({ _id: id, version, dueAt }, { $set: { dueAt: until } });
      if (modifiedCount !== 1) return undefined;
      noteDue(until);
      return { ...payment, execution: { ...payment.execution, dueAt: until } };
    },
    countOverdue: (before) => payments.countDocuments({ dueAt: { $lte: before } }),
    countUnresolved: (attempts) =>
      payments.countDocuments({ dueAt: { $gt: beginningOfTime }, tries: { $gte: attempts } }),
    countEscalated: () => payments.countDocuments({ escalatedAt: { $gt: beginningOfTime } }),
    countOpen: () =>
      payments
        .aggregate<OpenPayments>([
          { $match: { dueAt: { $gt: beginningOfTime } } },
          { $sort: { dueAt: 1 } },
          { $limit: maxCounted },
          { $group: { _id: "$state", count: { $sum: 1 }, oldest: { $min: "$createdAt" } } },
          { $project: { _id: 0, state: "$_id", count: 1, oldest: 1 } },
        ])
        .toArray(),
  };
}

function toView(record: PaymentRecord, key: TenantKey): PaymentView {
  const payment = toPayment(record, key);
  const history = record.history.map(toHistoryEntry(payment.refunds));
  const actions = Object.entries(record.actions ?? {}).map(([action, facts]) => [action, toAction(facts)] as const);
  return { payment, history, actions: Object.fromEntries(actions) };
}
