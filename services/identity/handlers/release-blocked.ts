import type {
  ReleaseBlockedRequest,
  ReleaseBlockedResponse,
} from "../../../proto/gen/corridor/identity/v1/review_service";
import type { ReleaseBlocked } from "../operations/release-blocked";
import { encodeReview } from "./review-codec";

export const releaseBlockedHandler =
  (releaseBlocked: ReleaseBlocked) =>
  async ({ tenant, reviewId, ...release }: ReleaseBlockedRequest): Promise<ReleaseBlockedResponse> => ({
    review: encodeReview(await releaseBlocked(tenant, reviewId, release), {}),
  });
