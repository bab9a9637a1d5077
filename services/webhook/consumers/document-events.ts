import { DocumentEvents } from "../../../proto/gen/corridor/identity/v1/document_events";
import { VerificationStatus } from "../../../proto/gen/corridor/identity/v1/verification_status";
import { documentNotification } from "../domain/document-event";
import type { SubjectEvents } from "../domain/handled";
import { sequencedEvent } from "./sequenced-event";

const statusWords: Readonly<Record<VerificationStatus, string | undefined>> = {
  [VerificationStatus.UNSPECIFIED]: undefined,
  [VerificationStatus.PENDING]: "PENDING",
  [VerificationStatus.VERIFIED]: "VERIFIED",
  [VerificationStatus.REJECTED]: "REJECTED",
  [VerificationStatus.SUPERSEDED]: "SUPERSEDED",
  [VerificationStatus.FAILED]: "FAILED",
  [VerificationStatus.ERRORED]: "ERRORED",
  [VerificationStatus.EXPIRED]: "EXPIRED",
  [VerificationStatus.UNRECOGNIZED]: undefined,
};

/** Reads a message of subject corridor.identity.documents. Throws when a required part is missing. */
export function decodeDocumentEvents(payload: Uint8Array): Omit<SubjectEvents, "stream"> {
  const { tenant, documentId, events } = DocumentEvents.decode(payload);
  if (tenant === "" || documentId === "" || events.length === 0)
    throw new Error("the message names no document or event");
  return {
    subject: { tenant, id: documentId },
    events: events.map((event) =>
      sequencedEvent(event, (occurredAt) => {
        const { entityId, entityType, documentType, verificationStatus } = event;
        const word = statusWords[verificationStatus];
        if (entityId === "" || word === undefined) throw new Error("an event lacks its entity or status");
        return documentNotification({
          tenant,
          documentId,
          entityId,
          entityType,
          documentType,
          verificationStatus: word,
          occurredAt,
        });
      }),
    ),
  };
}
