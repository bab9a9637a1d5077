import { DomainError, invalid } from "../../shared/kernel/errors";
import type { PaymentFacts } from "./screened-payment";
import type { ScreeningHit } from "./screening";

export type ReviewKind = "PERSON" | "COMPANY" | "PAYMENT";
export type ReviewStatus = "OPEN" | "APPROVED" | "REJECTED" | "WITHDRAWN";

/** A question to a person about one subject. A subject has at most one that is open. */
export interface Review {
  id: string;
  tenant: string;
  kind: ReviewKind;
  /** Id of the person, company or payment. */
  subjectId: string;
  status: ReviewStatus;
  hits: readonly ScreeningHit[];
  /** True while the screening provider has not decided about a payment. */
  awaitsProvider: boolean;
  /** Version of the list that the hits come from. */
  listVersion: string;
  openedAt: Date;
  decidedAt: Date | undefined;
  author: string | undefined;
  /** Undefined also once its subject was erased. */
  words: ReviewWords | undefined;
  version: number;
}

/** What of a review may name people. */
export interface ReviewWords {
  /** What a payment was screened by; absent for persons and companies, whose records say it. */
  facts?: PaymentFacts;
  note?: string;
}

export type Question = Pick<
  Review,
  "id" | "tenant" | "kind" | "subjectId" | "hits" | "awaitsProvider" | "listVersion"
> &
  Pick<ReviewWords, "facts">;

/** A review that nobody has decided. */
export const openReview = ({ facts, ...question }: Question, at: Date): Review => ({
  ...question,
  status: "OPEN",
  openedAt: at,
  decidedAt: undefined,
  author: undefined,
  words: facts === undefined ? {} : { facts },
  version: 1,
});

export interface ReviewDecision {
  approve: boolean;
  author: string;
  note: string;
}

const longestNote = 1_000;

/**
 * What a person's decision makes of a review. The same decision of the same author again changes nothing: the review is
 * returned as it is. Throws RECORD_CONFLICT for any other once it is decided, INVALID_ARGUMENT without author or note.
 */
export function decideReview(review: Review, { approve, author, note }: ReviewDecision, at: Date): Review {
  const violations = [
    ...(author === "" ? [{ field: "author", message: "is required" }] : []),
    ...(note.trim() === "" || note.length > longestNote
      ? [{ field: "note", message: `must be text of 1 to ${longestNote} characters` }]
      : []),
  ];
  if (violations.length > 0) throw invalid(violations);
  const status = approve ? "APPROVED" : "REJECTED";
  if (review.status === "OPEN") return endReview(review, status, author, note, at);
  if (review.status === status && review.author === author) return review;
  throw new DomainError("RECORD_CONFLICT", `the review has ended as ${review.status}`);
}

/** A review after it was ended, by a person or by what made the question go away. */
export const endReview = (
  review: Review,
  status: Exclude<ReviewStatus, "OPEN">,
  author: string,
  note: string,
  at: Date,
): Review => ({
  ...review,
  status,
  awaitsProvider: false,
  decidedAt: at,
  author,
  words: review.words === undefined ? undefined : { ...review.words, note },
  version: review.version + 1,
});

/** An open review after its subject was screened anew. What was found before stays in question unless it was found again. */
export function renewReview(review: Review, hits: readonly ScreeningHit[], listVersion: string): Review {
  const isFoundAgain = ({ entryId }: ScreeningHit): boolean => hits.some((hit) => hit.entryId === entryId);
  const kept = review.hits.filter((hit) => !isFoundAgain(hit));
  return { ...review, hits: [...hits, ...kept], listVersion, version: review.version + 1 };
}

/** A hit that was cleared for one subject. It holds while the entry is what it was. */
export interface ScreeningException {
  id: string;
  tenant: string;
  kind: ReviewKind;
  subjectId: string;
  entryId: string;
  entryDigest: string;
  /** The review that cleared it. */
  reviewId: string;
  author: string;
  createdAt: Date;
  /** Version of the lists by which it was cleared. */
  listVersion: string;
  /** What is cleared once is looked at again after a year. */
  expiresAt: Date;
}

/** For how many days a hit stays cleared. */
export const clearedDays = 365;

type Cleared = Pick<ScreeningException, "entryId" | "entryDigest" | "expiresAt">;

/** The hits that nobody has cleared, or not for as long as until now. */
export const uncleared = (
  hits: readonly ScreeningHit[],
  exceptions: readonly Cleared[],
  at: Date,
): readonly ScreeningHit[] =>
  hits.filter(
    ({ entryId, entryDigest }) =>
      !exceptions.some(
        (cleared) => cleared.entryId === entryId && cleared.entryDigest === entryDigest && cleared.expiresAt > at,
      ),
  );
