import type {
  ListExceptionsRequest,
  ListExceptionsResponse,
} from "../../../proto/gen/corridor/identity/v1/review_service";
import type { ExceptionStore } from "../store/exception-store";
import type { ReviewStore } from "../store/review-store";
import { decodeLimit, encodeException, pageOf } from "./review-codec";

export const listExceptionsHandler =
  (exceptions: Pick<ExceptionStore, "list">, reviews: Pick<ReviewStore, "notesOf">) =>
  async ({ tenant, after, limit }: ListExceptionsRequest): Promise<ListExceptionsResponse> => {
    const { page, next } = pageOf(await exceptions.list(tenant, after, decodeLimit(limit) + 1), limit);
    const notes = await reviews.notesOf(page.map(({ reviewId }) => reviewId));
    return { exceptions: page.map((one) => encodeException(one, notes.get(one.reviewId))), next };
  };
