import type { Document } from "../../proto/gen/corridor/identity/v1/document_service";
import type { document as documentShape, reviewedDocument } from "../contract/documents";
import type { Answered } from "../contract/infer";
import { decisionName, documentStatusName } from "./verification-status";

/** Renders a document as its owner sees it. */
export function renderDocument(document: Document | undefined): Answered<typeof documentShape> {
  const { documentId, participantId, status, decision, createdAt, updatedAt, ...facts } = sent(document);
  return {
    id: documentId,
    entityId: participantId,
    documentType: facts.documentType,
    verificationStatus: documentStatusName(status),
    mediaType: facts.mediaType,
    size: facts.size,
    sha256: facts.sha256,
    documentNumber: facts.documentNumber,
    decision:
      decision === undefined
        ? null
        : {
            status: decisionName(decision.status),
            reasonCode: decision.reasonCode,
            decidedAt: sent(decision.decidedAt),
          },
    createdAt: sent(createdAt),
    updatedAt: sent(updatedAt),
  };
}

/** Renders a document as operators see it: with the person who decided, and the reason. */
export function renderReviewedDocument(document: Document | undefined): Answered<typeof reviewedDocument> {
  const { author, note } = document?.decision ?? {};
  const { decision, ...shown } = renderDocument(document);
  return { ...shown, decision: decision === null ? null : { ...decision, author, note } };
}

function sent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the identity service sent no document");
  return value;
}
