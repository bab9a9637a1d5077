import { DecisionEvents } from "../../../proto/gen/corridor/identity/v1/decision_events";
import type {
  ScreeningException as WireException,
  Review as WireReview,
} from "../../../proto/gen/corridor/identity/v1/review_service";
import { invalid } from "../../shared/kernel/errors";
import type { JsonObject } from "../../shared/kernel/json";
import type { Review, ReviewKind, ReviewStatus, ScreeningException } from "../domain/review";
import type { DecisionRecord } from "../store/decision-store";
import type { EventfulRecord } from "../store/record-outbox";

const kinds: readonly ReviewKind[] = ["PERSON", "COMPANY", "PAYMENT"];
const statuses: readonly ReviewStatus[] = ["OPEN", "APPROVED", "REJECTED", "WITHDRAWN"];
const longestPage = 200;

/** One of a few words. Throws INVALID_ARGUMENT for another. */
function decodeWord<T extends string>(field: string, words: readonly T[], text: string): T {
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw invalid([{ field, message: `must be one of ${words.join(", ")}` }]);
  return word;
}

export const decodeReviewKind = (kind: string | undefined): ReviewKind | undefined =>
  kind === undefined ? undefined : decodeWord("kind", kinds, kind);
export const decodeReviewStatus = (status: string | undefined): ReviewStatus =>
  status === undefined ? "OPEN" : decodeWord("status", statuses, status);

export function decodeLimit(limit: number): number {
  if (limit >= 1 && limit <= longestPage) return limit;
  throw invalid([{ field: "limit", message: `must be from 1 to ${longestPage}` }]);
}

/** A page of at most `limit` of the rows that were read, and where the next one begins. */
export function pageOf<T extends { id: string }>(rows: readonly T[], limit: number): { page: T[]; next?: string } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return rows.length > limit && last !== undefined ? { page, next: last.id } : { page };
}

/** As lists show it: without note and facts. */
export function encodeReviewRow(review: Review): WireReview {
  const { id, tenant, kind, subjectId, status, hits, awaitsProvider, listVersion, openedAt, decidedAt, author } =
    review;
  return {
    reviewId: id,
    tenant,
    kind,
    subjectId,
    status,
    hits: hits.map(({ entryId, likeness }) => ({ entryId, likenessPercent: Math.round(likeness * 100) })),
    awaitsProvider,
    listVersion,
    openedAt,
    decidedAt,
    author,
    note: undefined,
    factsJson: undefined,
  };
}

const bytesOf = (value: object | undefined): Buffer | undefined =>
  value === undefined ? undefined : Buffer.from(JSON.stringify(value));

/** With the listed entries, and with what spoke for and against each. */
export const encodeReview = (review: Review, facts: JsonObject | undefined): WireReview => ({
  ...encodeReviewRow(review),
  hits: review.hits.map(({ entryId, likeness, factors, entry }) => ({
    ...{ entryId, likenessPercent: Math.round(likeness * 100) },
    ...{ factorsJson: bytesOf(factors), entryJson: bytesOf(entry) },
  })),
  note: review.words?.note,
  factsJson: bytesOf(facts),
});

export const encodeException = (
  { id, entryDigest: _digest, ...facts }: ScreeningException,
  note: string | undefined,
): WireException => ({ ...facts, exceptionId: id, note });

/** What a message about a decision is made from. */
export type PublishedDecision = EventfulRecord & Pick<DecisionRecord, "tenant" | "events">;

/** Changes of a decision as the bus carries them, each with an id that is the same on every repeat. */
export const encodeDecisionEvents = ({ _id: paymentId, tenant, events }: PublishedDecision, from: number): Uint8Array =>
  DecisionEvents.encode({
    tenant,
    paymentId,
    events: events.slice(from).map((event) => ({ ...event, eventId: `${paymentId}.decision.${event.sequence}` })),
  }).finish();
