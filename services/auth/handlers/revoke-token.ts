import type { RevokeTokenRequest, RevokeTokenResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { RevokeToken } from "../operations/revoke-token";

export const revokeTokenHandler =
  (revokeToken: RevokeToken) =>
  async ({ clientId, clientSecret, token, address, certificate }: RevokeTokenRequest): Promise<RevokeTokenResponse> => {
    await revokeToken({ clientId, clientSecret, token, address, certificate });
    return {};
  };
