import type {
  RevokeCredentialRequest,
  RevokeCredentialResponse,
} from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { RevokeCredential } from "../operations/revoke-credential";

export const revokeCredentialHandler =
  (revokeCredential: RevokeCredential) =>
  async ({ tenant, credentialId }: RevokeCredentialRequest): Promise<RevokeCredentialResponse> => {
    await revokeCredential(tenant, credentialId);
    return {};
  };
