import type {
  RevokeAccountTokenRequest,
  RevokeAccountTokenResponse,
} from "../../../proto/gen/corridor/payment/v1/check_service";
import type { RevokeAccountToken } from "../operations/revoke-account-token";

export const revokeAccountTokenHandler =
  (revokeAccountToken: RevokeAccountToken) =>
  async ({ tenant, accountTokenId }: RevokeAccountTokenRequest): Promise<RevokeAccountTokenResponse> => {
    await revokeAccountToken(tenant, accountTokenId);
    return {};
  };
