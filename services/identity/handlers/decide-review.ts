import type { DecideReviewRequest, DecideReviewResponse } from "../../../proto/gen/corridor/identity/v1/review_service";
import type { DecideReview } from "../operations/decide-review";
import { encodeReview } from "./review-codec";

export const decideReviewHandler =
  (decideReview: DecideReview) =>
  async ({ tenant, reviewId, approve, block, author, note }: DecideReviewRequest): Promise<DecideReviewResponse> => {
    const review = await decideReview(tenant, reviewId, { approve, block, author, note });
    return { review: encodeReview(review, {}) };
  };
