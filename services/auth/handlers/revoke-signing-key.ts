import type {
  RevokeSigningKeyRequest,
  RevokeSigningKeyResponse,
} from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { KeyRing } from "../adapters/keys/key-ring";

export const revokeSigningKeyHandler =
  (ring: Pick<KeyRing, "revoke">) =>
  async ({ kid }: RevokeSigningKeyRequest): Promise<RevokeSigningKeyResponse> => {
    await ring.revoke(kid);
    return {};
  };
