import { DomainError } from "../../shared/kernel/errors";
import type { PersonFields } from "../domain/person-fields";
import type { Review } from "../domain/review";
import type { PaymentFacts } from "../domain/screened-payment";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";

export interface ShowReviewDeps {
  reviews: Pick<ReviewStore, "find">;
  participants: Pick<ParticipantStore, "find">;
}

/** Facts about a review's subject. Both are undefined once it was erased. */
export interface ReviewSubject {
  /** A person or company as it is now. */
  participant?: PersonFields | undefined;
  /** A payment as it was screened. */
  payment?: PaymentFacts | undefined;
}

export type ShowReview = (reviewId: string) => Promise<{ review: Review; subject: ReviewSubject }>;

/** Returns a review with the known facts about its subject. Throws RECORD_NOT_FOUND. */
export const makeShowReview =
  ({ reviews, participants }: ShowReviewDeps): ShowReview =>
  async (reviewId) => {
    const review = await reviews.find(reviewId);
    if (review === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such review");
    if (review.kind === "PAYMENT") return { review, subject: { payment: review.words?.facts } };
    const record = await participants.find(review.tenant, review.kind, review.subjectId);
    return { review, subject: { participant: record?.fields } };
  };
