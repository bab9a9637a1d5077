import { type Connection, Schema } from "mongoose";
import { DomainError } from "../../shared/kernel/errors";
import { makeGroupInsert } from "../../shared/storage/group-insert";
import { makeGroupRead } from "../../shared/storage/group-read";
import { driverDb, isDuplicateKey, type Tx } from "../../shared/storage/mongo";
import { date, listOf, number, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import { decisionStatuses, type PaymentDecision, verdictStatuses } from "../domain/payment-decision";
import { consequences } from "../domain/screening-policy";
import { type EventfulRecord, eventfulFields } from "./record-outbox";

/** One decision as it is stored. It names no person. */
export interface DecisionRecord extends EventfulRecord, Omit<PaymentDecision, "paymentId" | "provider" | "reviewId"> {
  provider?: PaymentDecision["provider"];
  reviewId?: string;
}

export interface DecisionStore {
  init(): Promise<void>;
  /** Throws VERSION_CONFLICT when the payment has a decision. */
  add(decision: PaymentDecision, traceparent: string, tx?: Tx): Promise<void>;
  /** Of any tenant when `tenant` is undefined: providers name only payments. */
  find(tenant: string | undefined, paymentId: string, tx?: Tx): Promise<PaymentDecision | undefined>;
  /** Replaces the decision that has the version before. Throws VERSION_CONFLICT when another writer was first. */
  save(decision: PaymentDecision, tx: Tx): Promise<void>;
}

export const decisionCollection = "payment_decisions";

const decisionSchema = new Schema<DecisionRecord>(
  {
    ...eventfulFields,
    tenant: text,
    status: oneOf(decisionStatuses),
    reason: text,
    listVersion: text,
    provider: part({ status: oneOf(verdictStatuses), reason: String }),
    embargo: part({ on: text, consequence: oneOf(consequences) }),
    isFrozen: Boolean,
    payTo: String,
    reviewId: String,
    events: listOf(part({ sequence: number, status: oneOf(decisionStatuses), listVersion: text, occurredAt: date })),
    createdAt: date,
    version: number,
  },
  strictDocument,
);
decisionSchema
  .index({ relayDue: 1, _id: 1 }, { partialFilterExpression: { relayDue: { $exists: true } } })
  .index({ updatedAt: 1 }, { partialFilterExpression: { eventCount: { $gt: 0 } } });

/** Decisions about payments of all tenants, one document each. */
export function makeDecisionStore(connection: Connection): DecisionStore {
  const model = connection.model("PaymentDecision", decisionSchema, decisionCollection);
  const decisions = driverDb(connection).collection<DecisionRecord>(decisionCollection);
  const insertOne = makeGroupInsert(decisions, { ownerOf: ({ tenant }) => tenant });
  const readOne = makeGroupRead(decisions);
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async add({ paymentId, provider, reviewId, events, ...facts }, traceparent, tx) {
      const optional = { ...(provider !== undefined && { provider }), ...(reviewId !== undefined && { reviewId }) };
      const record = { ...facts, ...optional, _id: paymentId, events: [...events], traceparent };
      try {
        const whole = { ...record, published: 0, eventCount: events.length };
        await (tx === undefined ? insertOne(whole) : decisions.insertOne(whole, { ...tx }));
      } catch (error) {
        if (isDuplicateKey(error)) throw conflict();
        throw error;
      }
    },
    async find(tenant, paymentId, tx) {
      const record = tx === undefined ? await readOne(paymentId) : await decisions.findOne({ _id: paymentId }, tx);
      const isTheirs = tenant === undefined || record?.tenant === tenant;
      return record && isTheirs ? toDecision(record) : undefined;
    },
    async save({ paymentId, createdAt: _at, tenant, provider, reviewId, events, version, ...facts }, tx) {
      const optional = { ...(provider !== undefined && { provider }), ...(reviewId !== undefined && { reviewId }) };
      const filter = { _id: paymentId, tenant, version: version - 1 };
      // A new event has the time of this change; one that already waits keeps its place.
      const isTold = events.at(-1)?.occurredAt === facts.updatedAt;
      const changes = {
        ...(facts.isFrozen === undefined && { $unset: { isFrozen: "" as const } }),
        $set: { ...facts, ...optional, events: [...events], eventCount: events.length, version },
        ...(isTold && { $min: { relayDue: facts.updatedAt } }),
      };
      const { matchedCount } = await decisions.updateOne(filter, changes, tx);
      if (matchedCount !== 1) throw conflict();
    },
  };
}

const conflict = (): DomainError =>
  new DomainError("VERSION_CONFLICT", "another request is changing the decision; try again");

function toDecision(record: DecisionRecord): PaymentDecision {
  const { _id: paymentId, traceparent: _trace, published: _published, eventCount: _count, ...rest } = record;
  const { relayDue: _due, ...decision } = rest;
  return { ...decision, paymentId, provider: decision.provider, reviewId: decision.reviewId };
}
