import type { ListReviewsRequest, ListReviewsResponse } from "../../../proto/gen/corridor/identity/v1/review_service";
import type { ReviewStore } from "../store/review-store";
import { decodeLimit, decodeReviewKind, decodeReviewStatus, encodeReviewRow, pageOf } from "./review-codec";

export const listReviewsHandler =
  (reviews: Pick<ReviewStore, "list">) =>
  async ({ tenant, kind, status, after, limit, subjectId }: ListReviewsRequest): Promise<ListReviewsResponse> => {
    const filter = { tenant, subjectId, kind: decodeReviewKind(kind), status: decodeReviewStatus(status) };
    const { page, next } = pageOf(await reviews.list(filter, after, decodeLimit(limit) + 1), limit);
    return { reviews: page.map(encodeReviewRow), next };
  };
