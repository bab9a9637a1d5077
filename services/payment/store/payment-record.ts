import { parseTraceparent } from "../../shared/process/traceparent";
import type { FeePlan } from "../domain/fees";
import { holdOf } from "../domain/hold";
import { legId } from "../domain/legs";
import { nothingKnown } from "../domain/new-pull";
import { conversionMark } from "../domain/open-conversion";
import type { Party } from "../domain/party";
import type { Change, Fee, MadePromise, Payment, PaymentEvent, Payout, Pull, Refund } from "../domain/payment";
import type { ActionFacts } from "../domain/payment-action";
import { methodInWords } from "../domain/payment-methods";
import type { ReceiptFacts } from "../domain/receipt";
import { type Content, contentVersion } from "../domain/same-content";
import { requireLegs } from "../domain/typed-legs";
import type { ByLeg, EvidenceKey } from "./evidence-keys";
import { type ExecutionRecord, executionFields, executionOf } from "./execution-record";
import {
  type Attempt,
  type AttemptRecord,
  type FactRecord,
  legOf,
  minimum,
  type Opening,
  oldestRaw,
  type Place,
  placeOf,
  placeOfRecord,
  type Sealing,
  sealAttempt,
  sealFact,
  toFact,
} from "./fact-record";
import { type HistoryRecord, toHistoryRecord } from "./history-record";
import { placeName } from "./promise-places";

type PullRecord = Omit<Pull, "source">;

/** Fields that change after the payment was stored. Undefined fields are not stored. */
interface MutableRecord extends ExecutionRecord {
  state: Payment["state"];
  status: Payment["status"];
  compliance: Payment["compliance"];
  payout: Payment["payoutStatus"];
  automaticReversed: boolean;
  cause: Payment["cause"];
  cameFrom: Payment["cameFrom"];
  railId: string | undefined;
  receipt: string | undefined;
  paidMinor: bigint | undefined;
  returnedMinor: bigint | undefined;
  openCase: Payment["openCase"];
  accepted: Payment["accepted"];
  blocked: Payment["blocked"];
  caseCount: number | undefined;
  capturedAt: Date | undefined;
  cancelledAt: Date | undefined;
  /** When the payment was made, while it waits for a person: holds are listed in this order. */
  heldOf: Date | undefined;
  updatedAt: Date;
  eventCount: number;
  version: number;
  /** Id of the last change that was written together with those of other payments. */
  savedBy?: string;
  /** Mark of a conversion that the ledger may lack (`conversionMark`). */
  conversionAt: Date | undefined;
  /** Time of the oldest event that waits for the bus; set while there is one. */
  relayDue: Date | undefined;
  lastEventAt: Date;
}

/** A payment as it is stored. Personal details are sealed with the tenant's key. */
export interface PaymentRecord extends MutableRecord {
  _id: string;
  type: Payment["type"];
  tenant: string;
  externalId: string;
  agentId: string | undefined;
  externalTransactionId: string | undefined;
  /** Hashes of the parts that the caller asked for, sealed: a short text could be guessed from a bare hash. */
  hashes: string;
  amountMinor: bigint;
  currency: string;
  payoutMinor: bigint | undefined;
  payoutCurrency: string | undefined;
  payoutCountry: string | undefined;
  method: string | undefined;
  rail: string | undefined;
  pull: PullRecord | undefined;
  refunds: readonly Refund[] | undefined;
  fees: readonly Fee[] | undefined;
  /** Ids of legs and refunds, which are found by them. */
  childIds: string[] | undefined;
  /** The callers' ids of refunds, permanently unique within their tenant. */
  refundIds: string[] | undefined;
  feePlan: FeePlan;
  reversalLimitMinor: bigint | undefined;
  promises: MadePromise[] | undefined;
  /** The places of the promises in their blocks. No two documents have the same place, so that a block can be closed. */
  places: string[] | undefined;
  quoteId: string | undefined;
  marginMinor: bigint | undefined;
  /** The first answer to the caller: written once, only by the store, and never with a change of the payment. */
  answer: ReceiptFacts | undefined;
  /** First answers to captures, voids and refunds: each written once, only by the store. */
  actions?: Record<string, ActionFacts>;
  /** Names, addresses, accounts, tokens and the IP address of the device. */
  personal: string;
  createdAt: Date;
  traceparent: string;
  /** W3C id of the trace in which the payment was accepted, by which it can be found; absent while tracing is off. */
  traceId?: string;
  /** Number of events that are known to be on the bus. */
  published: number;
  events: PaymentEvent[];
  history: HistoryRecord[];
  attempts: AttemptRecord[] | undefined;
  facts: FactRecord[] | undefined;
  /** When the oldest provider text that is still kept was given; absent when there is none. */
  evidenceAt?: Date;
}

/** The personal details of a payout. */
type EntrustedPayout = Pick<Payout, "method" | "recipient" | "texts">;
export interface Personal {
  ipAddress: string;
  sender: Payment["sender"];
  source?: Pull["source"];
  payout?: EntrustedPayout;
}

/** Returns the content that distinguishes a repeat of the request from another request with the same id. */
export const openContent = (key: Opening, record: Pick<PaymentRecord, "tenant" | "_id" | "hashes">): Content =>
  JSON.parse(key.open(record.hashes, placeOf(placeOfRecord(record), "hashes")).toString("utf8")) as Content;

const sealRefunds = (key: Sealing, { tenant, id, refunds }: Place & Pick<Payment, "refunds">): Refund[] =>
  refunds.map((refund) => ({
    ...refund,
    reason:
      refund.reason === undefined
        ? undefined
        : key.seal(refund.reason, placeOf({ tenant, id }, `refunds.${refund.id}`)),
  }));

const openRefunds = (key: Opening, place: Place, refunds: readonly Refund[]): Refund[] =>
  refunds.map((refund) => {
    const { reason } = refund;
    const opened = reason === undefined ? undefined : key.open(reason, placeOf(place, `refunds.${refund.id}`));
    return { ...absentRefund, ...refund, reason: opened?.toString("utf8") };
  });

const orNothing = (minor: bigint | undefined): bigint | undefined => (minor === 0n ? undefined : minor);

const mutableFields = (before: Payment | undefined, { next, events }: Change): MutableRecord => ({
  state: next.state,
  status: next.status,
  compliance: next.compliance,
  payout: next.payoutStatus,
  automaticReversed: next.automaticReversed,
  cause: next.cause,
  cameFrom: next.cameFrom,
  railId: next.payout?.railId,
  receipt: next.payout?.receipt,
  paidMinor: orNothing(next.payout?.paidMinor),
  returnedMinor: orNothing(next.payout?.returnedMinor),
  openCase: next.openCase,
  accepted: next.accepted,
  blocked: next.blocked,
  caseCount: next.caseCount === 0 ? undefined : next.caseCount,
  capturedAt: next.capturedAt,
  cancelledAt: next.cancelledAt,
  ...executionFields(next.execution),
  heldOf: holdOf(next) === undefined ? undefined : next.createdAt,
  updatedAt: next.updatedAt,
  eventCount: next.eventCount,
  version: next.version,
  conversionAt: conversionMark(before, { next, events }),
  relayDue: events[0]?.occurredAt,
  lastEventAt: events.at(-1)?.occurredAt ?? next.updatedAt,
});

const toPullRecord = ({ source: _source, ...facts }: Pull): PullRecord => facts;

const childIdsOf = (payment: Payment): string[] => [
  ...(payment.type === "PULLPUSH" ? [legId(payment, "pull"), legId(payment, "push")] : []),
  ...payment.refunds.map(({ id }) => id),
];

const orAbsent = <T>(items: readonly T[]): T[] | undefined => (items.length === 0 ? undefined : [...items]);

/** What is stored with a payment for repeats of its request. */
export interface Acceptance {
  /** Hash of each part of the request. */
  hashes: Readonly<Record<string, string>>;
  /** Undefined while the content of the answer is not certain. */
  answer: ReceiptFacts | undefined;
}

const traceOf = (traceparent: string): { traceId?: string } => {
  const traceId = parseTraceparent(traceparent)?.traceId;
  return traceId === undefined ? {} : { traceId };
};

/** Converts a new payment to its first document. */
export function toRecord(change: Change, { hashes, answer }: Acceptance, key: Sealing): PaymentRecord {
  const { next } = change;
  const content: Content = { version: contentVersion, hashes };
  const { payout, pull, terms } = next;
  const personal: Personal = {
    ipAddress: next.ipAddress,
    sender: next.sender,
    ...(pull === undefined ? {} : { source: pull.source }),
    ...(payout === undefined ? {} : { payout: entrusted(payout) }),
  };
  return {
    _id: next.id,
    type: next.type,
    tenant: next.tenant,
    externalId: next.externalId,
    agentId: next.agent?.id,
    externalTransactionId: next.agent?.externalTransactionId,
    hashes: key.seal(JSON.stringify(content), placeOf(next, "hashes")),
    amountMinor: next.amount.minor,
    currency: next.amount.currency,
    payoutMinor: payout?.amount.minor,
    payoutCurrency: payout?.amount.currency,
    payoutCountry: payout?.countryCode,
    method: payout && methodInWords(payout.method).type,
    rail: payout?.rail,
    pull: pull === undefined ? undefined : toPullRecord(pull),
    refunds: undefined,
    fees: undefined,
    childIds: orAbsent(childIdsOf(next)),
    refundIds: undefined,
    feePlan: terms.fees,
    reversalLimitMinor: terms.reversalLimitMinor,
    promises: orAbsent(next.promises),
    places: orAbsent(next.promises.map(placeName)),
    quoteId: next.quoteId,
    marginMinor: next.marginMinor === 0n ? undefined : next.marginMinor,
    answer,
    personal: key.seal(JSON.stringify(personal), placeOf(next, "personal")),
    createdAt: next.createdAt,
    traceparent: next.traceparent,
    ...traceOf(next.traceparent),
    published: 0,
    events: [...change.events],
    history: change.history.map(toHistoryRecord(next.refunds)),
    attempts: undefined,
    facts: undefined,
    ...mutableFields(undefined, change),
  };
}

const entrusted = ({ method, recipient, texts }: Payout): EntrustedPayout => ({ method, recipient, texts });

const removable = ["step", "sentAt", "dueAt", "deadlineAt", "escalatedAt", "heldOf", "openCase", "cause"] as const;
/** Number of attempts that are kept. The timeline shows the latest; a provider that is silent for weeks must not fill the document. */
const keptAttempts = 100;

/** Converts a change to one update; providers' texts are sealed for their persons. Fields that became undefined are removed. */
export function toUpdate(
  before: Payment,
  change: Change,
  attempts: readonly Attempt[],
  { key, evidence }: { key: Sealing; evidence: ByLeg<EvidenceKey> | undefined },
): { $set: object } {
  const { next } = change;
  const mutable = mutableFields(before, change);
  const { lastEventAt, relayDue, ...fields } = mutable;
  const { events } = change;
  const hasEvents = events.length > 0;
  const facts = next.facts.slice(before.facts.length).map((fact) => sealFact(evidence?.[fact.role].sealer, next, fact));
  const calls = attempts.map((attempt) => sealAttempt(evidence?.[legOf(attempt)].sealer, next, attempt));
  const evidenceAt = oldestRaw([...facts, ...calls]);
  const removed = removable.filter((field) => mutable[field] === undefined);
  const pushed = {
    ...(hasEvents ? { events: { $each: events } } : {}),
    ...(change.history.length > 0 ? { history: { $each: change.history.map(toHistoryRecord(next.refunds)) } } : {}),
    ...(calls.length === 0 ? {} : { attempts: { $each: calls, $slice: -keptAttempts } }),
    ...(facts.length > 0 ? { facts: { $each: facts } } : {}),
  };
  return {
    $set: {
      ...fields,
      ...changedParts(before, next, key),
      ...(hasEvents ? { lastEventAt } : {}),
    },
    ...minimum({ relayDue, evidenceAt }),
    ...(removed.length === 0 ? {} : { $unset: Object.fromEntries(removed.map((field) => [field, ""])) }),
    ...(Object.keys(pushed).length === 0 ? {} : { $push: pushed }),
  };
}

/** Returns the larger parts of a payment that the change touched. */
function changedParts(before: Payment, next: Payment, key: Sealing): Partial<PaymentRecord> {
  const externalIds = next.refunds.flatMap(({ externalId }) => (externalId === undefined ? [] : [externalId]));
  return {
    ...(before.pull === next.pull || next.pull === undefined ? {} : { pull: toPullRecord(next.pull) }),
    ...(before.fees === next.fees ? {} : { fees: next.fees }),
    ...(before.refunds === next.refunds
      ? {}
      : {
          refunds: sealRefunds(key, next),
          childIds: childIdsOf(next),
          ...(externalIds.length === 0 ? {} : { refundIds: externalIds }),
        }),
  };
}

const agentOf = ({ agentId, externalTransactionId }: PaymentRecord): Payment["agent"] =>
  agentId === undefined ? undefined : { id: agentId, externalTransactionId };

/** Converts a stored payment to its domain form. */
export function toPayment(record: PaymentRecord, key: Opening): Payment {
  const place = placeOfRecord(record);
  const opened = key.open(record.personal, placeOf(place, "personal")).toString("utf8");
  const { ipAddress, sender, source, payout } = JSON.parse(opened) as Personal;
  const pull = record.pull && source && { ...nothingKnown, ...record.pull, source };
  return {
    ...requireLegs(record.type, pull, payout && toPayout(record, payout)),
    id: record._id,
    tenant: record.tenant,
    externalId: record.externalId,
    agent: agentOf(record),
    amount: { minor: record.amountMinor, currency: record.currency },
    quoteId: record.quoteId,
    marginMinor: record.marginMinor ?? 0n,
    ipAddress,
    sender: withAbsent(sender),
    terms: { fees: record.feePlan, reversalLimitMinor: record.reversalLimitMinor },
    createdAt: record.createdAt,
    traceparent: record.traceparent,
    promises: record.promises ?? [],
    refunds: openRefunds(key, place, record.refunds ?? []),
    fees: record.fees ?? [],
    facts: (record.facts ?? []).map(toFact),
    openCase: record.openCase,
    accepted: record.accepted,
    blocked: record.blocked,
    caseCount: record.caseCount ?? 0,
    state: record.state,
    status: record.status,
    compliance: record.compliance,
    payoutStatus: record.payout,
    automaticReversed: record.automaticReversed,
    cause: record.cause,
    cameFrom: record.cameFrom,
    capturedAt: record.capturedAt,
    cancelledAt: record.cancelledAt,
    execution: executionOf(record),
    updatedAt: record.updatedAt,
    eventCount: record.eventCount,
    version: record.version,
  };
}

/** Restores fields: the driver omits undefined ones, and the domain has every field. */
const absentRefund = {
  externalId: undefined,
  askedMinor: undefined,
  reason: undefined,
  settledAt: undefined,
} satisfies Partial<Refund>;

/** Restores fields: JSON omits undefined ones, and the domain has every field. */
const withAbsent = (party: Party): Party => ({ ...party, address: party.address });

function toPayout(record: PaymentRecord, { method, recipient, texts }: EntrustedPayout): Payout {
  return {
    rail: record.rail ?? "",
    reference: record._id,
    amount: { minor: record.payoutMinor ?? 0n, currency: record.payoutCurrency ?? record.currency },
    countryCode: record.payoutCountry ?? "",
    method,
    recipient: withAbsent(recipient),
    texts,
    railId: record.railId,
    receipt: record.receipt,
    paidMinor: record.paidMinor ?? 0n,
    returnedMinor: record.returnedMinor ?? 0n,
  };
}
