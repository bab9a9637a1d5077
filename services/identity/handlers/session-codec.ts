import type {
  Session as WireSession,
  Verification as WireVerification,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { maxAttempts, type Session, shownStatus } from "../domain/session";
import type { AskedVerification } from "../operations/create-verification";

export function encodeSession(session: Session): WireSession {
  const { id, attempts, createdAt, expiresAt, decision, personId, facts } = session;
  const { userRef, url, ...details } = facts;
  return {
    sessionId: id,
    userRef,
    status: shownStatus(session),
    url,
    attemptsRemaining: maxAttempts - attempts,
    createdAt,
    expiresAt,
    decision,
    detailsJson: Buffer.from(JSON.stringify({ ...details, personId })),
  };
}

export const encodeVerification = ({ verification, status }: AskedVerification): WireVerification => ({
  verificationId: verification.id,
  sessionId: verification.about === "session" ? verification.subjectId : "",
  documentId: verification.about === "document" ? verification.subjectId : "",
  status,
});
