import type {
  CreateCredentialRequest,
  CreateCredentialResponse,
} from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { Profile } from "../../shared/kernel/profile";
import type { CreateCredential } from "../operations/create-credential";
import { decodeBounds, decodeKind, encodeCredential } from "./codec";

export const createCredentialHandler =
  (createCredential: CreateCredential, env: Profile) =>
  async ({ tenant, kind, owner, bounds }: CreateCredentialRequest): Promise<CreateCredentialResponse> => {
    const { credential, text } = await createCredential({
      tenant,
      kind: decodeKind(kind),
      owner,
      bounds: decodeBounds(bounds),
    });
    return { credential: encodeCredential({ ...credential, lastUsedAt: undefined }, env), text };
  };
