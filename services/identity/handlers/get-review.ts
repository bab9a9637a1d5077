import type { GetReviewRequest, GetReviewResponse } from "../../../proto/gen/corridor/identity/v1/review_service";
import type { ShowReview } from "../operations/show-review";
import { encodeReview } from "./review-codec";

export const getReviewHandler =
  (showReview: ShowReview) =>
  async ({ reviewId }: GetReviewRequest): Promise<GetReviewResponse> => {
    const { review, subject } = await showReview(reviewId);
    return { review: encodeReview(review, subject) };
  };
