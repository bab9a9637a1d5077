import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import type { Transact, Tx } from "../../shared/storage/mongo";
import { reviewed } from "../domain/participant";
import { applyReviewerDecision } from "../domain/payment-decision";
import { decideReview, exceptionsOf, type Review, type ReviewDecision } from "../domain/review";
import type { DecisionStore } from "../store/decision-store";
import type { ExceptionStore } from "../store/exception-store";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";
import { screenCompaniesBehind } from "./company-chain";

export interface DecideReviewDeps {
  transact: Transact;
  reviews: Pick<ReviewStore, "find" | "save">;
  exceptions: Pick<ExceptionStore, "add">;
  decisions: Pick<DecisionStore, "find" | "save">;
  participants: Pick<ParticipantStore, "find" | "replace" | "companiesOf" | "forgetScreening">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  nudgeRelay(): void;
}

export type DecideReview = (tenant: string, reviewId: string, decision: ReviewDecision) => Promise<Review>;

/**
 * Ends a review by a person's decision, in one commit with what it does to the subject, and with the exceptions that keep cleared hits from
 * being raised again. One of several concurrent decisions wins, the others get RECORD_CONFLICT. Throws RECORD_NOT_FOUND.
 */
export const makeDecideReview =
  (deps: DecideReviewDeps): DecideReview =>
  async (tenant, reviewId, decision) => {
    const { transact, reviews, exceptions, clock, ids, nudgeRelay } = deps;
    const at = clock.now();
    const ended = await transact(async (tx) => {
      const review = await reviews.find(reviewId, tx);
      if (review === undefined || review.tenant !== tenant) {
        throw new DomainError("RECORD_NOT_FOUND", "there is no such review");
      }
      const next = decideReview(review, decision, at);
      if (next === review) return review;
      await reviews.save(next, tx);
      await decideSubject(deps, review, decision, at, tx);
      if (decision.approve) await exceptions.add(exceptionsOf(review, decision.author, at, ids.uuid), tx);
      return next;
    });
    nudgeRelay();
    return ended;
  };

async function decideSubject(
  { decisions, participants }: DecideReviewDeps,
  { tenant, kind, subjectId, id }: Review,
  decision: ReviewDecision,
  at: Date,
  tx: Tx,
): Promise<void> {
  if (kind === "PAYMENT") {
    const before = await decisions.find(tenant, subjectId, tx);
    if (before?.reviewId === id) await decisions.save(applyReviewerDecision(before, decision, at), tx);
    return;
  }
  const before = await participants.find(tenant, kind, subjectId, tx);
  // An erased subject needs no decision.
  if (before === undefined) return;
  const isSaved = await participants.replace(reviewed(before, decision.approve, at), tx);
  if (!isSaved) throw new DomainError("VERSION_CONFLICT", "another request is changing the review; try again");
  await screenCompaniesBehind(participants, tenant, subjectId, tx);
}
