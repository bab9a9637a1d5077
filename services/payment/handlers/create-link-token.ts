import type {
  CreateLinkTokenRequest,
  CreateLinkTokenResponse,
} from "../../../proto/gen/corridor/payment/v1/check_service";
import type { CreateLinkToken } from "../operations/create-link-token";

export const createLinkTokenHandler =
  (createLinkToken: CreateLinkToken) =>
  ({ phoneNumber, androidPackageName }: CreateLinkTokenRequest): Promise<CreateLinkTokenResponse> =>
    createLinkToken({ phoneNumber, androidPackageName });
