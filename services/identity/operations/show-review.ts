import { DomainError } from "../../shared/kernel/errors";
import type { JsonObject } from "../../shared/kernel/json";
import type { PersonFields } from "../domain/person-fields";
import type { Review } from "../domain/review";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";

export interface ShowReviewDeps {
  reviews: Pick<ReviewStore, "find">;
  participants: Pick<ParticipantStore, "find">;
}

/** `facts` is undefined once the subject was erased. */
export type ShowReview = (reviewId: string) => Promise<{ review: Review; facts: JsonObject | undefined }>;

/** A review with what is known of its subject: of a payment what was screened, else the record as it is now. */
export const makeShowReview =
  ({ reviews, participants }: ShowReviewDeps): ShowReview =>
  async (reviewId) => {
    const review = await reviews.find(reviewId);
    if (review === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no such review");
    if (review.kind === "PAYMENT") return { review, facts: review.words?.facts };
    const subject = await participants.find(review.tenant, review.kind, review.subjectId);
    return { review, facts: subject === undefined ? undefined : toJson(subject.fields) };
  };

const toJson = ({ address, relatedParties, ...root }: PersonFields): JsonObject => ({
  ...root,
  ...(address !== undefined && { address: { ...address } }),
  ...(relatedParties !== undefined && {
    relatedParties: relatedParties.map((party) => {
      const { participantId, roles, shareMillionths } = party;
      const share = shareMillionths === undefined ? {} : { share: shareMillionths / 10_000 };
      return { participantId, roles: [...roles], ...share };
    }),
  }),
});
