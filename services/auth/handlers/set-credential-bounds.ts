import type {
  SetCredentialBoundsRequest,
  SetCredentialBoundsResponse,
} from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { Profile } from "../../shared/kernel/profile";
import type { BindCredential } from "../operations/bind-credential";
import { decodeBounds, encodeCredential } from "./codec";

export const setCredentialBoundsHandler =
  (bindCredential: BindCredential, env: Profile) =>
  async ({ tenant, credentialId, bounds }: SetCredentialBoundsRequest): Promise<SetCredentialBoundsResponse> => ({
    credential: encodeCredential(await bindCredential(tenant, credentialId, decodeBounds(bounds)), env),
  });
