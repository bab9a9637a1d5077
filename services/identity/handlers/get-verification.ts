import type {
  GetVerificationRequest,
  GetVerificationResponse,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { DomainError } from "../../shared/kernel/errors";
import { requireStatus, type Subjects } from "../operations/create-verification";
import type { VerificationStore } from "../store/verification-store";
import { encodeVerification } from "./session-codec";

export interface GetVerificationDeps {
  subjects: Subjects;
  verifications: Pick<VerificationStore, "find">;
}

export const getVerificationHandler =
  ({ subjects, verifications }: GetVerificationDeps) =>
  async ({ tenant, verificationId }: GetVerificationRequest): Promise<GetVerificationResponse> => {
    const verification = await verifications.find(tenant, verificationId);
    if (verification === undefined) throw new DomainError("SESSION_NOT_FOUND", "there is no such verification");
    const status = await requireStatus(subjects, verification);
    return { verification: encodeVerification({ verification, status }) };
  };
