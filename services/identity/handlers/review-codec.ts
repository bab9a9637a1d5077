import { DecisionEvents } from "../../../proto/gen/corridor/identity/v1/decision_events";
import type { ScreenedParty } from "../../../proto/gen/corridor/identity/v1/decision_service";
import { DecisionStatus as WireDecisionStatus } from "../../../proto/gen/corridor/identity/v1/decision_status";
import {
  EntryKind,
  type ListedEntry,
  type ReviewedPayment,
  type ScreeningException as WireException,
  ReviewKind as WireKind,
  type Review as WireReview,
  ReviewStatus as WireStatus,
} from "../../../proto/gen/corridor/identity/v1/review_service";
import { enumCodec } from "../../shared/kernel/enum-codec";
import { invalid } from "../../shared/kernel/errors";
import { exactMinor, parseDecimal, requireDigits } from "../../shared/kernel/money";
import type { DecisionStatus } from "../domain/payment-decision";
import type { Review, ReviewKind, ReviewStatus, ScreeningException } from "../domain/review";
import type { PaymentFacts, PaymentParty } from "../domain/screened-payment";
import type { EntryKind as EntryKindWord, ListEntry } from "../domain/screening/list-entry";
import type { ReviewSubject } from "../operations/show-review";
import type { DecisionRecord } from "../store/decision-store";
import type { EventfulRecord } from "../store/record-outbox";
import { encodePerson } from "./participant-codec";

const longestPage = 200;

const kindCodec = enumCodec<WireKind, ReviewKind>({
  [WireKind.UNSPECIFIED]: undefined,
  [WireKind.PERSON]: "PERSON",
  [WireKind.COMPANY]: "COMPANY",
  [WireKind.PAYMENT]: "PAYMENT",
  [WireKind.UNRECOGNIZED]: undefined,
});

const statusCodec = enumCodec<WireStatus, ReviewStatus>({
  [WireStatus.UNSPECIFIED]: undefined,
  [WireStatus.OPEN]: "OPEN",
  [WireStatus.APPROVED]: "APPROVED",
  [WireStatus.REJECTED]: "REJECTED",
  [WireStatus.WITHDRAWN]: "WITHDRAWN",
  [WireStatus.BLOCKED]: "BLOCKED",
  [WireStatus.UNRECOGNIZED]: undefined,
});

/** Returns the enum value of a filter. Throws INVALID_ARGUMENT for a value that is not allowed. */
function requireWord<T extends string>(field: string, word: T | undefined, words: string): T {
  if (word === undefined) throw invalid([{ field, message: `must be one of ${words}` }]);
  return word;
}

export const decodeReviewKind = (kind: WireKind | undefined): ReviewKind | undefined =>
  kind === undefined ? undefined : requireWord("kind", kindCodec.decode(kind), "PERSON, COMPANY, PAYMENT");
export const decodeReviewStatus = (status: WireStatus | undefined): ReviewStatus =>
  status === undefined
    ? "OPEN"
    : requireWord("status", statusCodec.decode(status), "OPEN, APPROVED, REJECTED, WITHDRAWN, BLOCKED");

export function decodeLimit(limit: number): number {
  if (limit >= 1 && limit <= longestPage) return limit;
  throw invalid([{ field: "limit", message: `must be from 1 to ${longestPage}` }]);
}

/** Returns a page of at most `limit` of the rows that were read, and the start of the next one. */
export function pageOf<T extends { id: string }>(rows: readonly T[], limit: number): { page: T[]; next?: string } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return rows.length > limit && last !== undefined ? { page, next: last.id } : { page };
}

/** Encodes a review for lists: without note and facts. */
export function encodeReviewRow(review: Review): WireReview {
  const { id, tenant, kind, subjectId, status, hits, awaitsProvider, listVersion, openedAt, decidedAt, author } =
    review;
  const { report, release } = review;
  return {
    reportDueAt: report?.dueAt,
    reportReference: report?.reference,
    authorityReference: release?.authorityReference,
    approver: release?.approver,
    embargo: review.embargo,
    payTo: release?.payTo,
    reviewId: id,
    tenant,
    kind: kindCodec.encode(kind),
    subjectId,
    status: statusCodec.encode(status),
    hits: hits.map(({ entryId, likeness }) => ({
      entryId,
      likenessPercent: Math.round(likeness * 100),
      factors: [],
      entry: undefined,
    })),
    awaitsProvider,
    listVersion,
    openedAt,
    decidedAt,
    author,
    note: undefined,
    facts: undefined,
  };
}

const entryKindCodec = enumCodec<EntryKind, EntryKindWord>({
  [EntryKind.UNSPECIFIED]: undefined,
  [EntryKind.PERSON]: "PERSON",
  [EntryKind.COMPANY]: "COMPANY",
  [EntryKind.VESSEL]: "VESSEL",
  [EntryKind.UNKNOWN]: "UNKNOWN",
  [EntryKind.UNRECOGNIZED]: undefined,
});

const encodeEntry = (entry: ListEntry & { list: string }): ListedEntry => ({
  id: entry.id,
  list: entry.list,
  kind: entryKindCodec.encode(entry.kind),
  names: entry.names.map(({ text, isWeak }) => ({ text, isWeak })),
  births: entry.births.map(({ from, to }) => ({ from, to })),
  birthPlaces: [...entry.birthPlaces],
  documents: entry.documents.map(({ type, number }) => ({ type, number })),
  countries: [...entry.countries],
  programmes: [...entry.programmes],
});

function encodePayment(facts: PaymentFacts): ReviewedPayment {
  const { amount, currency, senderName, sender, recipientName, recipientCountry = "", narrative = "" } = facts;
  const decimal = parseDecimal(amount);
  const minor = decimal && exactMinor(decimal, requireDigits(currency));
  if (minor === undefined) throw new Error("a review has an amount that is none");
  const party = facts.recipient && encodeParty(facts.recipient);
  return {
    amount: { amountMinor: minor, currency },
    senderName,
    sender: sender && encodeParty(sender),
    recipient:
      recipientName === undefined
        ? undefined
        : { name: recipientName, countryCode: recipientCountry, narrative, party },
  };
}

const encodeParty = (party: Partial<PaymentParty>): ScreenedParty => ({
  birthDate: party.birthDate ?? "",
  nationalityCode: party.nationality ?? "",
  residenceCode: party.residence ?? "",
  documentNumbers: [...(party.documents ?? [])],
  companyName: party.companyName ?? "",
  bankName: party.bankName ?? "",
  bankCountryCode: party.bankCountry ?? "",
  countryCodes: [...(party.otherCountries ?? [])],
});

function encodeSubject({ participant, payment }: ReviewSubject): WireReview["facts"] {
  if (participant !== undefined) return { $case: "participant", value: encodePerson(participant) };
  return payment && { $case: "payment", value: encodePayment(payment) };
}

/** Encodes hits with the listed entries and the factors for and against each. */
export const encodeReview = (review: Review, subject: ReviewSubject): WireReview => ({
  ...encodeReviewRow(review),
  hits: review.hits.map(({ entryId, likeness, factors, entry }) => ({
    entryId,
    likenessPercent: Math.round(likeness * 100),
    factors: (factors ?? []).map(({ factor, points, listed }) => ({ factor, points, listed })),
    entry: entry && encodeEntry(entry),
  })),
  note: review.words?.note,
  facts: encodeSubject(subject),
});

export const encodeException = (
  { id, entryDigest: _digest, kind, ...facts }: ScreeningException,
  note: string | undefined,
): WireException => ({ ...facts, exceptionId: id, kind: kindCodec.encode(kind), note });

const decisionStatusCodec = enumCodec<WireDecisionStatus, DecisionStatus>({
  [WireDecisionStatus.UNSPECIFIED]: undefined,
  [WireDecisionStatus.APPROVED]: "APPROVED",
  [WireDecisionStatus.REVIEW]: "REVIEW",
  [WireDecisionStatus.BLOCKED]: "BLOCKED",
  [WireDecisionStatus.REJECTED]: "REJECTED",
  [WireDecisionStatus.UNRECOGNIZED]: undefined,
});

export const encodeDecisionStatus = (status: DecisionStatus): WireDecisionStatus => decisionStatusCodec.encode(status);

/** The facts for a message about a decision. */
export type PublishedDecision = EventfulRecord & Pick<DecisionRecord, "tenant" | "events">;

/** Returns the bus messages of a decision's changes, each with an id that is the same on every repeat. */
export const encodeDecisionEvents = ({ _id: paymentId, tenant, events }: PublishedDecision, from: number): Uint8Array =>
  DecisionEvents.encode({
    tenant,
    paymentId,
    events: events.slice(from).map(({ sequence, occurredAt, status, listVersion }) => ({
      eventId: `${paymentId}.decision.${sequence}`,
      sequence,
      occurredAt,
      status: encodeDecisionStatus(status),
      listVersion,
    })),
  }).finish();
