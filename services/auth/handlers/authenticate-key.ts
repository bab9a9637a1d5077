import type { AuthenticateKeyRequest, AuthenticateKeyResponse } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { AuthenticateKey } from "../operations/authenticate-key";
import { encodeTexts } from "./codec";

export const authenticateKeyHandler =
  (authenticateKey: AuthenticateKey) =>
  async ({ apiKey, agentId, agentApiKey, address }: AuthenticateKeyRequest): Promise<AuthenticateKeyResponse> => {
    const { scopes, ...caller } = await authenticateKey({ apiKey, agentId, agentApiKey, address });
    return { ...caller, scopes: encodeTexts(scopes) };
  };
