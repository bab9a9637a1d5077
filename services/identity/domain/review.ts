import { plusMs } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { plusBusinessDays } from "./business-days";
import type { PaymentFacts } from "./screened-payment";
import type { ScreeningHit } from "./screening";

export const reviewKinds = ["PERSON", "COMPANY", "PAYMENT"] as const;
export type ReviewKind = (typeof reviewKinds)[number];
export const reviewStatuses = ["OPEN", "APPROVED", "REJECTED", "WITHDRAWN", "BLOCKED"] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

/** A question to a person about one subject. A subject has at most one open review. */
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
  /** The embargoed country or programme that put a payment into review; absent if there is none. */
  embargo?: string;
  /** Version of the list that the hits come from. */
  listVersion: string;
  openedAt: Date;
  decidedAt: Date | undefined;
  author: string | undefined;
  /** Also undefined once its subject was erased. */
  words: ReviewWords | undefined;
  /** The report that is owed to the authority; absent if none is. */
  report?: Report;
  /** An authority's permission; absent unless the payment was blocked and released. */
  release?: { authorityReference: string; approver: string; payTo?: string };
  version: number;
}

/** A report to the authority about a payment that was blocked or refused. */
export interface Report {
  dueAt: Date;
  /** Reference under which it was filed. */
  reference?: string;
}

/** OFAC expects a report within this number of business days. */
const reportDays = 10;

/** The parts of a review that may name people. */
export interface ReviewWords {
  /** The facts that a payment was screened by; absent for persons and companies, which have them in their records. */
  facts?: PaymentFacts;
  note?: string;
}

export type Question = Pick<
  Review,
  "id" | "tenant" | "kind" | "subjectId" | "hits" | "awaitsProvider" | "listVersion" | "embargo"
> &
  Pick<ReviewWords, "facts">;

/** A review without a decision. */
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
  /** Blocks the payment instead. */
  block: boolean;
  author: string;
  note: string;
}

const longestNote = 1_000;
const longestReference = 200;

const required = (field: string, text: string, longest: number) =>
  text.trim() === "" || text.length > longest ? [{ field, message: `must be text of 1 to ${longest} characters` }] : [];

/**
 * Applies a person's decision to a review. Repeating the same decision by the same author changes nothing: the review is returned as it is.
 * Throws RECORD_CONFLICT for any other once it is decided, INVALID_ARGUMENT without author or note.
 */
export function decideReview(review: Review, { approve, block, author, note }: ReviewDecision, at: Date): Review {
  const violations = [
    ...(author === "" ? [{ field: "author", message: "is required" }] : []),
    ...required("note", note, longestNote),
    ...(block && approve ? [{ field: "block", message: "must not be true where approve is" }] : []),
    ...(block && review.kind !== "PAYMENT" ? [{ field: "block", message: "is for payments alone" }] : []),
  ];
  if (violations.length > 0) throw invalid(violations);
  const status = block ? "BLOCKED" : approve ? "APPROVED" : "REJECTED";
  if (review.status === "OPEN") {
    const ended = endReview(review, status, author, note, at);
    return status !== "APPROVED" && isSanction(review) ? withReport(ended, at) : ended;
  }
  if (review.status === status && review.author === author) return review;
  throw new DomainError("RECORD_CONFLICT", `the review has ended as ${review.status}`);
}

/** True for a payment that is in review because of a list or an embargo, not only of the screening provider. */
const isSanction = ({ kind, hits, embargo }: Review): boolean =>
  kind === "PAYMENT" && (hits.length > 0 || embargo !== undefined);

const withReport = (review: Review, at: Date): Review => ({
  ...review,
  report: { dueAt: plusBusinessDays(at, reportDays) },
});

/** The review of a payment that an embargo has ended without a person: it is still reported to the authority. */
export const rejectedByEmbargo = (question: Question, why: string, at: Date): Review =>
  withReport({ ...endReview(openReview(question, at), "REJECTED", "embargo", why, at), version: 1 }, at);

export interface Release {
  approve: boolean;
  author: string;
  approver: string;
  authorityReference: string;
  note: string;
  /** Account that the authority's order sends the money to; empty without such an order. */
  payTo: string;
}

/** Accounts from which money leaves the platform: money sent away by an order must not go to one of them. */
const outside = /^(provider\/[a-z0-9][a-z0-9._-]{0,63}\/clearing|tenant\/[a-z0-9][a-z0-9._-]{0,63}\/external)$/;

/**
 * Applies an authority's permission to a blocked payment's review. Repeating the same release by the same author changes nothing. Throws
 * RECORD_CONFLICT for a review that is not blocked, INVALID_ARGUMENT without two people, a reference or a note.
 */
export function releaseBlocked(review: Review, release: Release, at: Date): Review {
  const { approve, author, approver, authorityReference, note, payTo } = release;
  const violations = [
    ...(author === "" ? [{ field: "author", message: "is required" }] : []),
    ...(approver === "" || approver === author
      ? [{ field: "approver", message: "must be another operator, who has agreed" }]
      : []),
    ...required("authorityReference", authorityReference, longestReference),
    ...(payTo === "" || (outside.test(payTo) && !approve)
      ? []
      : [
          {
            field: "payTo",
            message: "must be provider/<name>/clearing or tenant/<slug>/external, where approve is false",
          },
        ]),
    ...required("note", note, longestNote),
  ];
  if (violations.length > 0) throw invalid(violations);
  const status = approve ? "APPROVED" : "REJECTED";
  if (review.status === "BLOCKED") {
    const allowed = { authorityReference, approver, ...(payTo !== "" && { payTo }) };
    return { ...endReview(review, status, author, note, at), release: allowed };
  }
  const { release: before } = review;
  const isSame = review.status === status && review.author === author;
  const isSameOrder = before?.authorityReference === authorityReference && (before.payTo ?? "") === payTo;
  if (isSame && isSameOrder) return review;
  throw new DomainError("RECORD_CONFLICT", `the review is ${review.status} and not BLOCKED`);
}

/** Notes that the authority was notified. Throws RECORD_NOT_FOUND if no report is owed, RECORD_CONFLICT for another reference. */
export function fileReport(review: Review, reference: string, author: string): Review {
  const violations = [
    ...(author === "" ? [{ field: "author", message: "is required" }] : []),
    ...required("reference", reference, longestReference),
  ];
  if (violations.length > 0) throw invalid(violations);
  const { report } = review;
  if (report === undefined) throw new DomainError("RECORD_NOT_FOUND", "the review has no sanction report to file");
  if (report.reference === reference) return review;
  if (report.reference !== undefined)
    throw new DomainError("RECORD_CONFLICT", "the report was filed under another one");
  return { ...review, report: { ...report, reference }, version: review.version + 1 };
}

/** Returns a review after it was ended, by a person or because its question no longer applies. */
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

/** Returns an open review after its subject was screened again. Earlier hits stay in question unless they were found again. */
export function renewReview(review: Review, hits: readonly ScreeningHit[], listVersion: string): Review {
  const isFoundAgain = ({ entryId }: ScreeningHit): boolean => hits.some((hit) => hit.entryId === entryId);
  const kept = review.hits.filter((hit) => !isFoundAgain(hit));
  return { ...review, hits: [...hits, ...kept], listVersion, version: review.version + 1 };
}

/** A hit that was cleared for one subject. It is valid until the entry changes. */
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
  /** Version of the lists at the time of clearing. */
  listVersion: string;
  /** A cleared hit is reviewed again after a year. */
  expiresAt: Date;
}

/** Number of days for which a hit stays cleared. */
const clearedDays = 365;

type Cleared = Pick<ScreeningException, "entryId" | "entryDigest" | "expiresAt">;

/** Returns the hits that are not cleared, or no longer are. */
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

const dayMs = 86_400_000;

/** Returns the exceptions that keep the cleared hits of a review from being raised again. */
export const exceptionsOf = (
  { tenant, kind, subjectId, id, hits, listVersion }: Review,
  author: string,
  at: Date,
  newId: () => string,
): ScreeningException[] =>
  hits.map(({ entryId, entryDigest }) => {
    const subject = { id: newId(), tenant, kind, subjectId };
    const expiresAt = plusMs(at, clearedDays * dayMs);
    return { ...subject, entryId, entryDigest, reviewId: id, author, createdAt: at, listVersion, expiresAt };
  });
