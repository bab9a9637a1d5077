import { plusMs } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import { plusBusinessDays } from "./business-days";
import type { PaymentFacts } from "./screened-payment";
import type { ScreeningHit } from "./screening";

export const reviewKinds = ["PERSON", "COMPANY", "PAYMENT"] as const;
export type ReviewKind = (typeof reviewKinds)[number];
export const reviewStatuses = ["OPEN", "APPROVED", "REJECTED", "WITHDRAWN", "BLOCKED"] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];

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
  /** The country or the programme under an embargo that has brought a payment here; absent where there is none. */
  embargo?: string;
  /** Version of the list that the hits come from. */
  listVersion: string;
  openedAt: Date;
  decidedAt: Date | undefined;
  author: string | undefined;
  /** Undefined also once its subject was erased. */
  words: ReviewWords | undefined;
  /** What must be reported to the authority; absent where nothing has to be. */
  report?: Report;
  /** What an authority has allowed; absent unless it was blocked and released. */
  release?: { authorityReference: string; approver: string; payTo?: string };
  version: number;
}

/** A report to the authority about a payment that was blocked or refused. */
export interface Report {
  dueAt: Date;
  /** Under which it was filed. */
  reference?: string;
}

/** OFAC expects a report within so many business days. */
const reportDays = 10;

/** What of a review may name people. */
export interface ReviewWords {
  /** What a payment was screened by; absent for persons and companies, whose records say it. */
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
  /** Keeps a payment where it is instead. */
  block: boolean;
  author: string;
  note: string;
}

const longestNote = 1_000;
const longestReference = 200;

const required = (field: string, text: string, longest: number) =>
  text.trim() === "" || text.length > longest ? [{ field, message: `must be text of 1 to ${longest} characters` }] : [];

/**
 * What a person's decision makes of a review. The same decision of the same author again changes nothing: the review is
 * returned as it is. Throws RECORD_CONFLICT for any other once it is decided, INVALID_ARGUMENT without author or note.
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

/** A payment that a list or an embargo has brought here, and not the screening provider alone. */
const isSanction = ({ kind, hits, embargo }: Review): boolean =>
  kind === "PAYMENT" && (hits.length > 0 || embargo !== undefined);

const withReport = (review: Review, at: Date): Review => ({
  ...review,
  report: { dueAt: plusBusinessDays(at, reportDays) },
});

/** A payment that an embargo has ended without a person: it is reported to the authority all the same. */
export const rejectedByEmbargo = (question: Question, why: string, at: Date): Review =>
  withReport({ ...endReview(openReview(question, at), "REJECTED", "embargo", why, at), version: 1 }, at);

export interface Release {
  approve: boolean;
  author: string;
  approver: string;
  authorityReference: string;
  note: string;
  /** Account that the authority's order sends the money to; empty where there is no such order. */
  payTo: string;
}

/** Where money leaves the platform from: what an order sends away must not become an account here. */
const outside = /^(provider\/[a-z0-9][a-z0-9._-]{0,63}\/clearing|tenant\/[a-z0-9][a-z0-9._-]{0,63}\/external)$/;

/**
 * What an authority's permission makes of a blocked payment's review. The same release of the same author again changes nothing.
 * Throws RECORD_CONFLICT for a review that is not blocked, INVALID_ARGUMENT without two people, a reference or a note.
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

/** Notes that the authority was notified. Throws RECORD_NOT_FOUND where nothing is owed, RECORD_CONFLICT for another reference. */
export function fileReport(review: Review, reference: string, author: string): Review {
  const violations = [
    ...(author === "" ? [{ field: "author", message: "is required" }] : []),
    ...required("reference", reference, longestReference),
  ];
  if (violations.length > 0) throw invalid(violations);
  const { report } = review;
  if (report === undefined) throw new DomainError("RECORD_NOT_FOUND", "the review owes no report");
  if (report.reference === reference) return review;
  if (report.reference !== undefined)
    throw new DomainError("RECORD_CONFLICT", "the report was filed under another one");
  return { ...review, report: { ...report, reference }, version: review.version + 1 };
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
const clearedDays = 365;

type Cleared = Pick<ScreeningException, "entryId" | "entryDigest" | "expiresAt">;

/** The hits that are not cleared, or not for as long as until now. */
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

/** The exceptions that keep cleared hits of a review from being raised again. */
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
