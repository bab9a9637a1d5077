import { DocumentEvents } from "../../../proto/gen/corridor/identity/v1/document_events";
import type { Document as WireDocument } from "../../../proto/gen/corridor/identity/v1/document_service";
import type { ParticipantKind } from "../../../proto/gen/corridor/identity/v1/participant";
import { shownStatus } from "../domain/document";
import type { DocumentAddress, OpenDocument } from "../operations/read-documents";
import type { RecordOfDocument } from "../store/document-store";
import { decodeAnyKind } from "./participant-codec";
import { verificationStatusCodec } from "./session-codec";

export function encodeDocument({ document, facts }: OpenDocument): WireDocument {
  const { id, entityId, documentType, decision, createdAt, updatedAt } = document;
  const { mediaType, size, sha256, number, note } = facts;
  return {
    documentId: id,
    participantId: entityId,
    documentType,
    status: verificationStatusCodec.encode(shownStatus(document)),
    mediaType,
    size,
    sha256,
    documentNumber: number,
    decision: decision && {
      reasonCode: undefined,
      author: undefined,
      ...decision,
      status: verificationStatusCodec.encode(decision.status),
      note,
    },
    createdAt,
    updatedAt,
  };
}

interface WireAddress {
  tenant: string;
  kind?: ParticipantKind | undefined;
  participantId?: string | undefined;
  documentId: string;
}

export const decodeAddress = ({ tenant, kind, participantId, documentId }: WireAddress): DocumentAddress => ({
  tenant,
  kind: decodeAnyKind(kind),
  participantId,
  documentId,
});

/** Returns the bus messages of a document's or session's events, each with an id that is the same on every repeat. */
export const encodeDocumentEvents = (record: RecordOfDocument, from: number): Uint8Array =>
  DocumentEvents.encode({
    tenant: record.tenant,
    documentId: record._id,
    events: record.events.slice(from).map(({ sequence, status, occurredAt }) => ({
      eventId: `${record._id}.${sequence}`,
      sequence,
      occurredAt,
      traceparent: record.traceparent,
      entityId: record.entityId,
      entityType: record.kind === "COMPANY" ? "Participant" : "Person",
      documentType: record.documentType,
      verificationStatus: verificationStatusCodec.encode(status),
    })),
  }).finish();

const maxLimit = 200;

/** Returns one page of what `read` finds, which is asked for one row more to know whether there is another page. */
export async function readPage(limit: number, read: (limit: number) => Promise<OpenDocument[]>) {
  const asked = Math.min(Math.max(limit, 1), maxLimit);
  const found = await read(asked + 1);
  const shown = found.slice(0, asked);
  return {
    documents: shown.map(encodeDocument),
    next: found.length > asked ? shown.at(-1)?.document.id : undefined,
  };
}
