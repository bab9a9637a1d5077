import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import type { Transact } from "../../shared/storage/mongo";
import { applyReviewerDecision } from "../domain/payment-decision";
import { exceptionsOf, type Release, type Review, releaseBlocked } from "../domain/review";
import type { DecisionStore } from "../store/decision-store";
import type { ExceptionStore } from "../store/exception-store";
import type { ReviewStore } from "../store/review-store";

export interface ReleaseBlockedDeps {
  transact: Transact;
  reviews: Pick<ReviewStore, "find" | "save">;
  decisions: Pick<DecisionStore, "find" | "save">;
  exceptions: Pick<ExceptionStore, "add">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  nudgeRelay(): void;
}

export type ReleaseBlocked = (tenant: string, reviewId: string, release: Release) => Promise<Review>;

/**
 * Ends the block of a review, in one commit with the payment's decision. One of several concurrent calls wins, the others get
 * RECORD_CONFLICT. Throws RECORD_NOT_FOUND and INVALID_ARGUMENT.
 */
export const makeReleaseBlocked =
  ({ transact, reviews, decisions, exceptions, clock, ids, nudgeRelay }: ReleaseBlockedDeps): ReleaseBlocked =>
  async (tenant, reviewId, release) => {
    const at = clock.now();
    const ended = await transact(async (tx) => {
      const review = await reviews.find(reviewId, tx);
      if (review === undefined || review.tenant !== tenant) {
        throw new DomainError("RECORD_NOT_FOUND", "there is no such review");
      }
      const next = releaseBlocked(review, release, at);
      if (next === review) return review;
      await reviews.save(next, tx);
      const before = await decisions.find(tenant, review.subjectId, tx);
      if (before?.reviewId === reviewId) await decisions.save(applyReviewerDecision(before, release, at), tx);
      if (release.approve) await exceptions.add(exceptionsOf(review, release.author, at, ids.uuid), tx);
      return next;
    });
    nudgeRelay();
    return ended;
  };
