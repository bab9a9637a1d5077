import type {
  CreateVerificationRequest,
  CreateVerificationResponse,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import type { CreateVerification } from "../operations/create-verification";
import { encodeVerification } from "./session-codec";

export const createVerificationHandler =
  (createVerification: CreateVerification) =>
  async ({ tenant, subject, checks }: CreateVerificationRequest): Promise<CreateVerificationResponse> => ({
    verification: encodeVerification(await createVerification(tenant, { subjectId: subject?.value ?? "", checks })),
  });
