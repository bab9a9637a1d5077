import type {
  Session as WireSession,
  Verification as WireVerification,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { maxAttempts, type Session, type SessionStatus } from "../domain/session";
import type { AskedVerification } from "../operations/create-verification";

const publicStatus = (status: SessionStatus): string => (status === "CAPTURING" ? "PENDING" : status);

export function encodeSession(session: Session): WireSession {
  const { id, status, attempts, createdAt, expiresAt, decision, personId, facts } = session;
  const { userRef, url, ...details } = facts;
  return {
    sessionId: id,
    userRef,
    status: publicStatus(status),
    url,
    attemptsRemaining: maxAttempts - attempts,
    createdAt,
    expiresAt,
    decision,
    detailsJson: Buffer.from(JSON.stringify({ ...details, personId })),
  };
}

export const encodeVerification = ({ verification, session }: AskedVerification): WireVerification => ({
  verificationId: verification.id,
  sessionId: verification.sessionId,
  status: publicStatus(session.status),
});
