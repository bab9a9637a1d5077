import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import type { Document, DocumentFacts } from "../domain/document";
import { fileKeyOf, openFacts, openSegment, segmentsOf } from "../domain/document-cipher";
import { noCursor } from "../domain/page-cursor";
import type { ParticipantKind } from "../domain/participant";
import type { DocumentFiles } from "../store/document-files";
import type { DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";

export interface ReadDocumentsDeps {
  participants: Pick<ParticipantStore, "find" | "keyOf">;
  documents: Pick<DocumentStore, "find" | "list" | "pending">;
  files: Pick<DocumentFiles, "piece">;
  ids: Pick<Ids, "bytes">;
}

/** Selects a document for a caller who may see it. An undefined field matches any value. */
export interface DocumentAddress {
  tenant: string;
  kind: ParticipantKind | undefined;
  participantId: string | undefined;
  documentId: string;
}

/** A document as its owner sees it. */
export interface OpenDocument {
  document: Document;
  facts: DocumentFacts;
}

/** Reads documents in clear text. Documents of another tenant or participant do not exist for the caller, nor do those of an erased one. */
export interface ReadDocuments {
  /** Throws DOCUMENT_NOT_FOUND. */
  get(address: DocumentAddress): Promise<OpenDocument>;
  /** Newest first. Throws PARTICIPANT_NOT_FOUND, and INVALID_ARGUMENT for an invalid cursor. */
  list(request: ListDocuments): Promise<OpenDocument[]>;
  /** Undecided documents, oldest first. Throws INVALID_ARGUMENT for an invalid cursor. */
  listPending(tenant: string, limit: number, after: string | undefined): Promise<OpenDocument[]>;
  /** One part of the content, from 0. Throws DOCUMENT_NOT_FOUND. */
  part(address: DocumentAddress, index: number): Promise<{ content: Buffer; isLast: boolean }>;
}

export interface ListDocuments extends Pick<Document, "tenant" | "kind"> {
  participantId: string;
  limit: number;
  /** The last document of the page before. */
  after: string | undefined;
}

export function makeReadDocuments({ participants, documents, files, ids }: ReadDocumentsDeps): ReadDocuments {
  const find = async ({ tenant, kind, participantId, documentId }: DocumentAddress) => {
    const document = await documents.find(documentId);
    if (document === undefined || document.tenant !== tenant) throw notThere();
    if (participantId !== undefined && document.entityId !== participantId) throw notThere();
    if (kind !== undefined && document.kind !== kind) throw notThere();
    const key = await participants.keyOf(tenant, document.entityId);
    if (key === undefined) throw notThere();
    return { document, key, facts: openFacts(key, document, ids) };
  };
  return {
    async get(address) {
      const { document, facts } = await find(address);
      return { document, facts };
    },
    async list({ tenant, kind, participantId, limit, after }) {
      const participant = await participants.find(tenant, kind, participantId);
      const key = await participants.keyOf(tenant, participantId);
      if (participant === undefined || key === undefined) {
        throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");
      }
      const last = after === undefined ? undefined : await documents.find(after);
      if (after !== undefined && (last?.tenant !== tenant || last.entityId !== participantId)) {
        throw noCursor();
      }
      const page = await documents.list(tenant, participantId, limit, last);
      return page.map((document) => ({ document, facts: openFacts(key, document, ids) }));
    },
    async listPending(tenant, limit, after) {
      let last = after === undefined ? undefined : await documents.find(after);
      if (after !== undefined && last?.tenant !== tenant) throw noCursor();
      const opened: OpenDocument[] = [];
      for (
        let page = await documents.pending(tenant, limit, last);
        ;
        page = await documents.pending(tenant, limit, last)
      ) {
        for (const document of page) {
          const key = await participants.keyOf(tenant, document.entityId);
          // A document of a participant that is just being erased is left out.
          if (key !== undefined) opened.push({ document, facts: openFacts(key, document, ids) });
        }
        last = page.at(-1);
        if (opened.length >= limit || page.length < limit) return opened.slice(0, limit);
      }
    },
    async part(address, index) {
      const { document, key, facts } = await find(address);
      const sealed = await files.piece(document.fileId, index);
      if (sealed === undefined) throw notThere();
      const isLast = index === segmentsOf(facts.size) - 1;
      return { content: openSegment(fileKeyOf(key, document), index, isLast, sealed), isLast };
    },
  };
}

const notThere = (): DomainError => new DomainError("DOCUMENT_NOT_FOUND", "there is no such document");
