import { endReview, openReview, type Question, type Review, rejectedByEmbargo } from "./review";
import type { PaymentFacts } from "./screened-payment";
import type { ScreeningHit } from "./screening";
import type { Consequence } from "./screening-policy";

export const decisionStatuses = ["APPROVED", "REVIEW", "BLOCKED", "REJECTED"] as const;
export type DecisionStatus = (typeof decisionStatuses)[number];

export const verdictStatuses = ["APPROVED", "REVIEW", "REJECTED"] as const;

/** The screening provider's verdict on a payment. */
export interface ProviderVerdict {
  status: (typeof verdictStatuses)[number];
  reason: string | undefined;
}

/** Whether a payment may move money. Names no person: the review, if there is one, says who was screened. */
export interface PaymentDecision {
  paymentId: string;
  tenant: string;
  status: DecisionStatus;
  reason: string;
  /** Version of the list that was used last. */
  listVersion: string;
  /** Undefined for a payment without a recipient: the provider is not asked. */
  provider: ProviderVerdict | undefined;
  /** Embargo on a country of a party or its bank, or on a programme of a hit, at the last screening. */
  embargo?: Embargo;
  /** True: only an authority's permission can still change it. */
  isFrozen?: true;
  /** Account of the ledger that an authority's order sends the money to, after it was blocked. */
  payTo?: string;
  /** The latest review; undefined when there was none. */
  reviewId: string | undefined;
  /** Changes after the first answer. */
  events: readonly DecisionEvent[];
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export interface DecisionEvent {
  sequence: number;
  status: DecisionStatus;
  listVersion: string;
  occurredAt: Date;
}

/** A decision with the review that goes with it; both are saved together. */
export interface DecisionWithReview {
  decision: PaymentDecision;
  review: Review | undefined;
}

/** The results of a payment's screening. */
export interface Evidence {
  provider: ProviderVerdict | undefined;
  hits: readonly ScreeningHit[];
  listVersion: string;
  /** Embargo on a country of a party or its bank, or on a programme of a hit. */
  embargo?: Embargo | undefined;
}

/** An embargoed country or programme, and its consequence. */
export interface Embargo {
  /** Alpha-2 of the country, or the lists' name of the programme. */
  on: string;
  consequence: Consequence;
}

const byProvider = "screening provider";

/**
 * An embargo that blocks keeps the money here, even from a provider that refuses the payment. Otherwise the provider's refusal is final,
 * and so is an embargo that rejects; a name on the list needs a reviewer, whatever the provider says.
 */
function verdictOf({ provider, hits, embargo }: Evidence): Pick<PaymentDecision, "status" | "reason"> {
  const why = `${embargo?.on} is under an embargo`;
  if (embargo?.consequence === "block") return { status: "BLOCKED", reason: why };
  if (provider?.status === "REJECTED") return { status: "REJECTED", reason: provider.reason ?? "refused by screening" };
  if (embargo !== undefined) return { status: "REJECTED", reason: why };
  if (hits.length > 0) return { status: "BLOCKED", reason: "a name is on the screening list" };
  if (provider?.status === "REVIEW") return { status: "REVIEW", reason: provider.reason ?? "a person reviews it" };
  return { status: "APPROVED", reason: provider?.reason ?? "approved by screening" };
}

/** The payment to decide about. `reviewId` is the id for the review, if it needs one. */
export interface Screened {
  paymentId: string;
  tenant: string;
  /** For the reviewer. */
  facts: PaymentFacts;
  reviewId: string;
}

const questionOf = (
  { paymentId, tenant, facts, reviewId }: Screened,
  { provider, hits, listVersion, embargo }: Evidence,
): Question => ({
  ...(embargo !== undefined && { embargo: embargo.on }),
  id: reviewId,
  tenant,
  kind: "PAYMENT",
  subjectId: paymentId,
  hits,
  awaitsProvider: provider?.status === "REVIEW",
  listVersion,
  facts,
});

const isOpen = ({ status }: PaymentDecision): boolean => status === "REVIEW" || status === "BLOCKED";

/** Makes the first decision about a payment, with a review when it needs a person. */
export function decideFirst(payment: Screened, evidence: Evidence, at: Date): DecisionWithReview {
  const { paymentId, tenant, reviewId } = payment;
  const { provider, listVersion, embargo } = evidence;
  const decision: PaymentDecision = {
    ...(embargo !== undefined && { embargo }),
    paymentId,
    tenant,
    ...verdictOf(evidence),
    listVersion,
    provider,
    reviewId: undefined,
    events: [],
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  const review = reviewOf(decision, payment, evidence, at);
  return { decision: review === undefined ? decision : { ...decision, reviewId }, review };
}

/** Returns the review that a person must decide, or that must be reported to the authority. */
function reviewOf(
  { status, reason }: PaymentDecision,
  payment: Screened,
  evidence: Evidence,
  at: Date,
): Review | undefined {
  const question = questionOf(payment, evidence);
  if (status === "REVIEW" || status === "BLOCKED") return openReview(question, at);
  return status === "REJECTED" && evidence.embargo !== undefined ? rejectedByEmbargo(question, reason, at) : undefined;
}

/** Applies a later verdict of the provider. Returns undefined when it changes nothing: a decision that was already made stays. */
export function applyProviderVerdict(
  { decision, review }: DecisionWithReview,
  said: ProviderVerdict,
  at: Date,
): DecisionWithReview | undefined {
  if (
    decision.isFrozen === true ||
    !isOpen(decision) ||
    decision.provider?.status !== "REVIEW" ||
    said.status === "REVIEW"
  )
    return undefined;
  const hits = review?.hits ?? [];
  const verdict = verdictOf({ provider: said, hits, listVersion: decision.listVersion, embargo: decision.embargo });
  const next = moved({ ...decision, provider: said, ...verdict }, decision, at);
  if (review === undefined) return { decision: next, review };
  if (isOpen(next)) {
    return { decision: next, review: { ...review, awaitsProvider: false, version: review.version + 1 } };
  }
  const status = next.status === "APPROVED" ? "APPROVED" : "REJECTED";
  return { decision: next, review: endReview(review, status, byProvider, next.reason, at) };
}

/**
 * Applies a reviewer's decision, which ends the review also while the provider has not answered. A blocked payment stays
 * BLOCKED.
 */
export function applyReviewerDecision(
  { isFrozen: _frozen, ...decision }: PaymentDecision,
  { approve, block = false, payTo = "" }: { approve: boolean; block?: boolean; payTo?: string },
  at: Date,
): PaymentDecision {
  if (block)
    return moved({ ...decision, status: "BLOCKED", reason: "blocked by a reviewer", isFrozen: true }, decision, at);
  const reason = approve ? "approved by a reviewer" : "refused by a reviewer";
  const ended = { ...decision, status: approve ? ("APPROVED" as const) : ("REJECTED" as const), reason };
  return moved({ ...ended, ...(payTo !== "" && { payTo }) }, decision, at);
}

/** Returns an approved, unreleased payment after it was screened by another list. `hits` are those that are not cleared. */
export function screenAgain(
  decision: PaymentDecision,
  payment: Screened,
  evidence: Evidence,
  at: Date,
): DecisionWithReview {
  const { listVersion } = evidence;
  const same = { ...decision, listVersion, updatedAt: at, version: decision.version + 1 };
  if (evidence.hits.length === 0 && evidence.embargo === undefined) return { decision: same, review: undefined };
  const { embargo } = evidence;
  const judged = { ...decision, ...verdictOf(evidence), listVersion, ...(embargo !== undefined && { embargo }) };
  const review = reviewOf(judged, payment, evidence, at);
  const noted = review === undefined ? judged : { ...judged, reviewId: payment.reviewId };
  return { decision: moved(noted, decision, at), review };
}

/** Returns a waiting payment after another list has renewed its review. */
export const raised = (decision: PaymentDecision, evidence: Evidence, at: Date): PaymentDecision =>
  moved(
    { ...decision, ...verdictOf({ ...evidence, embargo: decision.embargo }), listVersion: evidence.listVersion },
    decision,
    at,
  );

/** Returns the next version of a decision; a changed status is published, and so is a permanent block. */
function moved(next: PaymentDecision, before: PaymentDecision, at: Date): PaymentDecision {
  const { status, listVersion } = next;
  const told = { sequence: before.events.length + 1, status, listVersion, occurredAt: at };
  const isNews = status !== before.status || next.isFrozen !== before.isFrozen;
  const events = isNews ? [...before.events, told] : before.events;
  return { ...next, events, updatedAt: at, version: before.version + 1 };
}
