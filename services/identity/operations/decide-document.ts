import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { decided, type OperatorDecision, requireNote } from "../domain/document";
import { openFacts, sealFacts } from "../domain/document-cipher";
import type { DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";
import type { OpenDocument } from "./read-documents";

export interface DecideDocumentDeps {
  participants: Pick<ParticipantStore, "keyOf">;
  documents: Pick<DocumentStore, "find" | "replace">;
  clock: Clock;
  ids: Pick<Ids, "bytes">;
  nudgeRelay(): void;
}

export interface NotedDecision extends OperatorDecision {
  /** Reason of the decision; stored sealed, since it may contain personal data. */
  note: string;
}

export type DecideDocument = (tenant: string, documentId: string, decision: NotedDecision) => Promise<OpenDocument>;

/**
 * Applies an operator's decision. Each of several concurrent decisions sees what the one before has saved. Throws DOCUMENT_NOT_FOUND,
 * RECORD_CONFLICT for a document that can no longer be decided, INVALID_ARGUMENT without a note.
 */
export const makeDecideDocument =
  ({ participants, documents, clock, ids, nudgeRelay }: DecideDocumentDeps): DecideDocument =>
  async (tenant, documentId, { note, ...decision }) => {
    requireNote(note);
    return retryOnConflict("document", async () => {
      const before = await documents.find(documentId);
      const key = before?.tenant === tenant ? await participants.keyOf(tenant, before.entityId) : undefined;
      if (before === undefined || key === undefined) {
        throw new DomainError("DOCUMENT_NOT_FOUND", "there is no such document");
      }
      const facts = openFacts(key, before, ids);
      const next = decided(before, decision, clock.now());
      if (next === before) return { document: before, facts };
      const noted = { ...facts, note };
      const sealed = sealFacts(key, before, noted, ids);
      if (!(await documents.replace(before, { ...next, sealed }))) return conflict;
      nudgeRelay();
      return { document: next, facts: noted };
    });
  };
