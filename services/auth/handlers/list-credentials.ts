import type {
  ListCredentialsRequest,
  ListCredentialsResponse,
} from "../../../proto/gen/corridor/auth/v1/directory_service";
import type { Profile } from "../../shared/kernel/profile";
import type { CredentialStore } from "../store/credential-store";
import { encodeCredential } from "./codec";

export const listCredentialsHandler =
  (credentials: Pick<CredentialStore, "ofTenant">, env: Profile) =>
  async ({ tenant }: ListCredentialsRequest): Promise<ListCredentialsResponse> => {
    const found = await credentials.ofTenant(tenant);
    return { credentials: found.map((credential) => encodeCredential(credential, env)) };
  };
