import type {
  ListExceptionsRequest,
  ListExceptionsResponse,
} from "../../../proto/gen/corridor/identity/v1/review_service";
import type { ExceptionStore } from "../store/exception-store";
import { decodeLimit, encodeException, pageOf } from "./review-codec";

export const listExceptionsHandler =
  (exceptions: Pick<ExceptionStore, "list">) =>
  async ({ tenant, after, limit }: ListExceptionsRequest): Promise<ListExceptionsResponse> => {
    const { page, next } = pageOf(await exceptions.list(tenant, after, decodeLimit(limit) + 1), limit);
    return { exceptions: page.map(encodeException), next };
  };
