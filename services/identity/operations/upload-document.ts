import { type Clock, plusMs } from "../../shared/kernel/clock";
import { DomainError, invalid } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { withinMs } from "../../shared/process/within-ms";
import { isDuplicateKey, type Transact } from "../../shared/storage/mongo";
import { type BlindIndex, comparableNumber, type Digests } from "../domain/blind-index";
import {
  canonicalDocumentType,
  type Document,
  parseDocumentNumber,
  parseDocumentType,
  received,
  waiting,
} from "../domain/document";
import { fileKeyOf, sealFacts, sealSegments } from "../domain/document-cipher";
import type { Participant, ParticipantKind } from "../domain/participant";
import type { DocumentFiles } from "../store/document-files";
import type { DocumentKeys, DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";
import type { AdvanceDocument } from "./advance-document";
import { type ContentFacts, inspectContent } from "./inspect-content";
import { declarationKeys, supersedeDocuments } from "./supersede-documents";

export interface UploadDocumentDeps {
  transact: Transact;
  participants: Pick<ParticipantStore, "find" | "keyOf">;
  documents: Pick<DocumentStore, "findRepeated" | "add" | "declare" | "undecided" | "replace" | "eraseOf">;
  files: Pick<DocumentFiles, "write" | "settle" | "remove">;
  index: BlindIndex;
  clock: Clock;
  ids: Ids;
  traceparent(): string;
  nudgeRelay(): void;
  /** True for a tenant with document reading. */
  isRead(tenant: string): boolean;
  advance: Pick<AdvanceDocument, "ask">;
}

export interface Upload {
  tenant: string;
  kind: ParticipantKind;
  participantId: string;
  documentType: string;
  /** Media type that the caller claims; empty when it claims none. */
  mediaType: string;
  content: AsyncIterable<Uint8Array>;
  /** The facts given after the content. Throws INVALID_ARGUMENT when the content was cut off. */
  end(): { documentNumber: string | undefined };
}

export interface Uploaded {
  document: Document;
  /** True when the same file was already stored. */
  isRepeat: boolean;
}

export type UploadDocument = (upload: Upload) => Promise<Uploaded>;

/** A little less than the time for answering a request. */
const knownWithinMs = 8_000;
/** Longer than it takes to submit a file for reading. */
const readWithinMs = 30_000;

/**
 * Stores a file of a participant, sealed on its way to the store. Uploading the same file of the same document again returns the stored
 * one, even when both arrive at once, until that can no longer be decided. A number that differs from the one declared before ends the
 * undecided files with the other number in the same commit. A failed upload stores nothing.
 */
export const makeUploadDocument =
  (deps: UploadDocumentDeps): UploadDocument =>
  async (upload) => {
    const { participants, documents, files, ids, clock } = deps;
    const { tenant, kind, participantId: entityId } = upload;
    const documentType = parseDocumentType(upload.documentType);
    // If its owner cannot be looked up, nothing of the file is read, and its caller does not wait.
    const [participant, key] = await withinMs(
      Promise.all([participants.find(tenant, kind, entityId), participants.keyOf(tenant, entityId)]),
      knownWithinMs,
    );
    if (participant === undefined || key === undefined) throw notThere();
    const fileId = ids.bytes(12).toString("hex");
    let found: ContentFacts | undefined;
    const inspected = inspectContent(upload.content, upload.mediaType, (facts) => {
      // Checked here at the latest: truncated content must never look complete.
      parseDocumentNumber(upload.end().documentNumber);
      found = facts;
    });
    await files.write(fileId, sealSegments(fileKeyOf(key, { tenant, fileId }), inspected));
    const stored = orRemove(deps, fileId, async () => {
      if (found === undefined) throw new Error("a file was stored that was not inspected");
      const number = upload.end().documentNumber ?? numberOf(participant, documentType);
      const keys = keysOf(await deps.index.of(tenant), { entityId, documentType, number, sha256: found.sha256 });
      const id = ids.uuid();
      const sealed = sealFacts(key, { tenant, id }, { ...found, ...(number !== undefined && { number }) }, ids);
      const now = clock.now();
      const isRead = deps.isRead(tenant);
      const fresh = received({ id, tenant, kind, entityId, documentType, fileId, sealed, isRead, createdAt: now });
      return keep(deps, isRead ? { ...fresh, dueAt: plusMs(now, readWithinMs) } : waiting(fresh, now), keys);
    });
    // A file that is not stored by then may be stored later; uploading it again shows that.
    const kept = await withinMs(stored, knownWithinMs);
    if ((await withinMs(participants.keyOf(tenant, entityId), knownWithinMs)) === undefined) {
      // A participant that is erased meanwhile has the document erased as well.
      await documents.eraseOf(tenant, entityId);
      throw notThere();
    }
    return kept.document.status === "RECEIVED" ? { ...kept, document: await firstReading(deps, kept.document) } : kept;
  };

/** Removes a file that no document refers to. */
async function orRemove<T>(
  { files }: Pick<UploadDocumentDeps, "files">,
  fileId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await files.remove(fileId);
    throw error;
  }
}

/**
 * The decision of a reader that decides at once is applied before tenants are notified of the document. The sweep retries whatever fails
 * here, also after the end of this process.
 */
async function firstReading({ advance }: UploadDocumentDeps, document: Document): Promise<Document> {
  try {
    return (await advance.ask(document.id)) ?? document;
  } catch {
    return document;
  }
}

/** Returns the participant's known number, if it is that of such a document. */
const numberOf = ({ fields }: Participant, documentType: string): string | undefined =>
  canonicalDocumentType(fields.identificationType ?? "") === documentType ? fields.identification : undefined;

const notThere = (): DomainError => new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");

type Said = Pick<Document, "entityId" | "documentType"> & { number: string | undefined; sha256: string };

function keysOf(digests: Digests, { entityId, documentType, number, sha256 }: Said): DocumentKeys {
  const comparable = number === undefined ? "" : comparableNumber(number);
  return {
    ...declarationKeys(digests, { entityId, documentType, number }),
    content: digests.index("document", entityId, documentType, comparable, sha256),
  };
}

async function keep(deps: UploadDocumentDeps, document: Document, keys: DocumentKeys): Promise<Uploaded> {
  const { transact, documents, files, traceparent, nudgeRelay } = deps;
  const repeated = async (): Promise<Uploaded | undefined> => {
    const kept = await documents.findRepeated(keys.content);
    if (kept === undefined) return undefined;
    await files.remove(document.fileId);
    return { document: kept, isRepeat: true };
  };
  const before = await repeated();
  if (before !== undefined) return before;
  try {
    await transact(async (tx) => {
      if (!(await files.settle(document.fileId, tx))) throw invalid([{ field: "file", message: "took too long" }]);
      const number = await supersedeDocuments(documents, document, keys, document.createdAt, tx);
      await documents.add(document, { ...keys, number }, traceparent(), tx);
    });
  } catch (error) {
    const kept = isDuplicateKey(error) ? await repeated() : undefined;
    if (kept === undefined) throw error;
    return kept;
  }
  nudgeRelay();
  return { document, isRepeat: false };
}
