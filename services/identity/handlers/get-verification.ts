import type {
  GetVerificationRequest,
  GetVerificationResponse,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { DomainError } from "../../shared/errors";
import { requireSession } from "../operations/create-verification";
import type { SessionStore } from "../store/session-store";
import type { VerificationStore } from "../store/verification-store";
import { encodeVerification } from "./session-codec";

export interface GetVerificationDeps {
  sessions: Pick<SessionStore, "find">;
  verifications: Pick<VerificationStore, "find">;
}

export const getVerificationHandler =
  ({ sessions, verifications }: GetVerificationDeps) =>
  async ({ tenant, verificationId }: GetVerificationRequest): Promise<GetVerificationResponse> => {
    const verification = await verifications.find(tenant, verificationId);
    if (verification === undefined) throw new DomainError("SESSION_NOT_FOUND", "there is no such verification");
    const session = requireSession(tenant, await sessions.find(verification.sessionId));
    return { verification: encodeVerification({ verification, session }) };
  };
