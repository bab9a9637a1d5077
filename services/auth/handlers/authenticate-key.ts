import type { AuthenticateKeyRequest, AuthenticateKeyResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { AuthenticateKey } from "../operations/authenticate-key";

export const authenticateKeyHandler =
  (authenticateKey: AuthenticateKey) =>
  ({ apiKey, agentId, agentApiKey, address }: AuthenticateKeyRequest): Promise<AuthenticateKeyResponse> =>
    authenticateKey({ apiKey, agentId, agentApiKey, address });
