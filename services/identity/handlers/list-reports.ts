import type { ListReportsRequest, ListReportsResponse } from "../../../proto/gen/corridor/identity/v1/review_service";
import type { ReviewStore } from "../store/review-store";
import { decodeLimit, encodeReviewRow, pageOf } from "./review-codec";

export const listReportsHandler =
  (reviews: Pick<ReviewStore, "listReports">) =>
  async ({ after, limit }: ListReportsRequest): Promise<ListReportsResponse> => {
    const size = decodeLimit(limit);
    const { page, next } = pageOf(await reviews.listReports(after, size + 1), size);
    return { reviews: page.map(encodeReviewRow), next };
  };
