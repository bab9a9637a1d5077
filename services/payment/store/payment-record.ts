import type { mongo } from "mongoose";
import type { Sealer } from "../../shared/sealing";
import type { Change, HistoryEntry, Instruction, Payer, Payment, PaymentEvent } from "../domain/payment";

interface HistoryRecord extends Omit<HistoryEntry, "amount"> {
  amountMinor: bigint;
  currency: string;
}

/** Fields that change after the payment was stored. What is undefined is not stored. */
interface MutableRecord {
  state: Payment["state"];
  status: Payment["status"];
  compliance: Payment["compliance"];
  payout: Payment["payout"];
  railId: string | undefined;
  capturedAt: Date | undefined;
  step: Payment["step"];
  tries: number;
  dueAt: Date | undefined;
  updatedAt: Date;
  eventCount: number;
  version: number;
  /** Set while events wait for the bus, to the time of the first of them. */
  relayDue: Date | undefined;
  lastEventAt: Date;
}

/** A payment as it is stored. Names, address and account of people are sealed in `personal`. */
export interface PaymentRecord extends MutableRecord {
  _id: string;
  tenant: string;
  externalId: string;
  hashes: [string, string][];
  answer: mongo.Binary;
  amountMinor: bigint;
  currency: string;
  payoutMinor: bigint;
  payoutCurrency: string;
  rail: string;
  quoteId: string | undefined;
  ipAddress: string;
  personal: string;
  createdAt: Date;
  traceparent: string;
  /** How many events are known to be on the bus. */
  published: number;
  events: PaymentEvent[];
  history: HistoryRecord[];
}

type Personal = { payer: Payer } & Pick<
  Instruction,
  "key" | "keyType" | "recipientName" | "recipientDocument" | "narrative"
>;

const personalContext = (tenant: string, id: string): string => `${tenant}|payments|${id}|personal`;

const mutableFields = ({ next, events }: Change): MutableRecord => ({
  state: next.state,
  status: next.status,
  compliance: next.compliance,
  payout: next.payout,
  railId: next.railId,
  capturedAt: next.capturedAt,
  step: next.step,
  tries: next.tries,
  dueAt: next.dueAt,
  updatedAt: next.updatedAt,
  eventCount: next.eventCount,
  version: next.version,
  relayDue: events[0]?.occurredAt,
  lastEventAt: events.at(-1)?.occurredAt ?? next.updatedAt,
});

const toHistoryRecord = ({ amount, ...entry }: HistoryEntry): HistoryRecord => ({
  ...entry,
  amountMinor: amount.minor,
  currency: amount.currency,
});

/** A new payment as its first document. */
export function toRecord(
  change: Change,
  hashes: [string, string][],
  answer: mongo.Binary,
  sealer: Sealer,
): PaymentRecord {
  const { next } = change;
  const { amount, rail, reference: _reference, ...recipient } = next.instruction;
  const personal: Personal = { payer: next.payer, ...recipient };
  return {
    _id: next.id,
    tenant: next.tenant,
    externalId: next.externalId,
    hashes,
    answer,
    amountMinor: next.amount.minor,
    currency: next.amount.currency,
    payoutMinor: amount.minor,
    payoutCurrency: amount.currency,
    rail,
    quoteId: next.quoteId,
    ipAddress: next.ipAddress,
    personal: sealer.seal(JSON.stringify(personal), personalContext(next.tenant, next.id)),
    createdAt: next.createdAt,
    traceparent: next.traceparent,
    published: 0,
    events: [...change.events],
    history: change.history.map(toHistoryRecord),
    ...mutableFields(change),
  };
}

/** A change of a stored payment as one update. Fields that became undefined are removed. */
export function toUpdate(change: Change): object {
  const next = { ...change.next, version: change.next.version + 1 };
  const { lastEventAt, relayDue, ...fields } = mutableFields({ ...change, next });
  const isSet = change.events.length > 0;
  const removed = (["step", "dueAt"] as const).filter((field) => next[field] === undefined);
  return {
    $set: isSet ? { ...fields, lastEventAt } : fields,
    ...(relayDue === undefined ? {} : { $min: { relayDue } }),
    ...(removed.length === 0 ? {} : { $unset: Object.fromEntries(removed.map((field) => [field, ""])) }),
    ...(isSet
      ? { $push: { events: { $each: change.events }, history: { $each: change.history.map(toHistoryRecord) } } }
      : {}),
  };
}

/** A stored payment as domain value. */
export function toPayment(record: PaymentRecord, sealer: Sealer): Payment {
  const opened = sealer.open(record.personal, personalContext(record.tenant, record._id)).toString("utf8");
  const { payer, ...recipient } = JSON.parse(opened) as Personal;
  return {
    id: record._id,
    tenant: record.tenant,
    externalId: record.externalId,
    amount: { minor: record.amountMinor, currency: record.currency },
    quoteId: record.quoteId,
    ipAddress: record.ipAddress,
    payer,
    instruction: {
      rail: record.rail,
      reference: record._id,
      amount: { minor: record.payoutMinor, currency: record.payoutCurrency },
      ...recipient,
    },
    createdAt: record.createdAt,
    traceparent: record.traceparent,
    state: record.state,
    status: record.status,
    compliance: record.compliance,
    payout: record.payout,
    railId: record.railId,
    capturedAt: record.capturedAt,
    step: record.step,
    tries: record.tries,
    dueAt: record.dueAt,
    updatedAt: record.updatedAt,
    eventCount: record.eventCount,
    version: record.version,
  };
}
