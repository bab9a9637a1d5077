import type {
  RevokeExceptionRequest,
  RevokeExceptionResponse,
} from "../../../proto/gen/corridor/identity/v1/review_service";
import type { RevokeException } from "../operations/revoke-exception";

export const revokeExceptionHandler =
  (revokeException: RevokeException) =>
  async ({ tenant, exceptionId }: RevokeExceptionRequest): Promise<RevokeExceptionResponse> => {
    await revokeException(tenant, exceptionId);
    return {};
  };
