import { DocumentEvents } from "../../../proto/gen/corridor/identity/v1/document_events";
import type {
  Session as WireSession,
  Verification as WireVerification,
} from "../../../proto/gen/corridor/identity/v1/kyc_service";
import { maxAttempts, type Session, type SessionStatus } from "../domain/session";
import type { AskedVerification } from "../operations/create-verification";
import type { EncodeSessionEvents } from "../store/session-outbox";

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

/** Events of a session as the bus carries them, each with an id that is the same on every repeat. */
export const encodeSessionEvents: EncodeSessionEvents = (session, from) =>
  DocumentEvents.encode({
    tenant: session.tenant,
    documentId: session._id,
    events: session.events.slice(from).map(({ sequence, status, occurredAt }) => ({
      eventId: `${session._id}.${sequence}`,
      sequence,
      occurredAt,
      traceparent: session.traceparent,
      entityId: session.entityId,
      entityType: "Person",
      documentType: session.documentType,
      verificationStatus: status,
    })),
  }).finish();
