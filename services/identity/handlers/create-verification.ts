import type {
  CreateVerificationRequest,
  CreateVerificationResponse,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import type { CreateVerification } from "../operations/create-verification";
import { decodeBody } from "./codec";
import { encodeVerification } from "./session-codec";

export const createVerificationHandler =
  (createVerification: CreateVerification) =>
  async ({ tenant, bodyJson }: CreateVerificationRequest): Promise<CreateVerificationResponse> => ({
    verification: encodeVerification(await createVerification(tenant, decodeBody(bodyJson))),
  });
