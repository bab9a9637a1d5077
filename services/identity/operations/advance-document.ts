import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { type Document, type DocumentReport, isUndecided, nextAsk, reported, waiting } from "../domain/document";
import { fileKeyOf, openFacts, openSegment, segmentsOf } from "../domain/document-cipher";
import type { DocumentReader } from "../ports";
import type { DocumentFiles } from "../store/document-files";
import type { DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";

export interface AdvanceDocumentDeps {
  participants: Pick<ParticipantStore, "keyOf">;
  documents: Pick<DocumentStore, "find" | "replace">;
  files: Pick<DocumentFiles, "piece">;
  reader: Pick<DocumentReader, "submit" | "ask">;
  clock: Clock;
  ids: Pick<Ids, "bytes">;
  nudgeRelay(): void;
}

export interface AdvanceDocument {
  /** Applies a report of document reading. A report about an unknown document changes nothing. */
  applyReport(report: DocumentReport): Promise<Document | undefined>;
  /**
   * Submits a document that was not submitted yet, asks about one that was, and applies the answer. Whatever the answer is, tenants are
   * notified of the document then; a silent reader is asked again.
   */
  ask(documentId: string): Promise<Document | undefined>;
}

/** Advances documents. Each of several concurrent writers sees what the one before has saved. */
export function makeAdvanceDocument(deps: AdvanceDocumentDeps): AdvanceDocument {
  const { documents, reader, clock, nudgeRelay } = deps;
  const change = (id: string, next: (before: Document) => Document): Promise<Document | undefined> =>
    retryOnConflict("document", async () => {
      const before = await documents.find(id);
      if (before === undefined) return undefined;
      const after = next(before);
      if (after === before) return before;
      if (!(await documents.replace(before, after))) return conflict;
      if (after.events.length > before.events.length) nudgeRelay();
      return after;
    });
  return {
    applyReport: (report) => change(report.documentId, (before) => reported(before, report, clock.now())),
    async ask(documentId) {
      const document = await documents.find(documentId);
      if (document === undefined || !document.isRead || !isUndecided(document)) return document;
      const known = document.status === "RECEIVED" ? "unknown" : await reader.ask(documentId);
      const report = known === "unknown" ? await submit(deps, document) : known;
      return change(documentId, (before) => {
        const now = clock.now();
        const applied = waiting(report === undefined ? before : reported(before, report, now), now);
        return isUndecided(applied) ? { ...applied, dueAt: nextAsk(applied, now) } : applied;
      });
    },
  };
}

async function submit(
  { participants, files, reader, ids }: AdvanceDocumentDeps,
  document: Document,
): Promise<DocumentReport | undefined> {
  const key = await participants.keyOf(document.tenant, document.entityId);
  if (key === undefined) return undefined;
  const facts = openFacts(key, document, ids);
  const fileKey = fileKeyOf(key, document);
  async function* content(): AsyncGenerator<Buffer> {
    const count = segmentsOf(facts.size);
    for (let index = 0; index < count; index += 1) {
      const sealed = await files.piece(document.fileId, index);
      if (sealed === undefined) throw new Error("a piece of the file is not there");
      yield openSegment(fileKey, index, index === count - 1, sealed);
    }
  }
  return reader.submit({ id: document.id, documentType: document.documentType, facts, content: content() });
}
