import type { Clock } from "../../shared/clock";
import { DomainError, invalid } from "../../shared/errors";
import type { Ids } from "../../shared/ids";
import { isDuplicateKey, type Transact } from "../../shared/mongo";
import { fileKeyOf, sealFacts, sealSegments } from "../document-cipher";
import {
  canonicalDocumentType,
  type Document,
  moved,
  parseDocumentNumber,
  parseDocumentType,
  received,
  superseded,
} from "../domain/document";
import type { Participant, ParticipantKind } from "../domain/participant";
import { type ContentFacts, inspectContent } from "../inspect-content";
import { type BlindIndex, comparableNumber } from "../personal-data";
import type { DocumentFiles } from "../store/document-files";
import type { DocumentKeys, DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";

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
}

export interface Upload {
  tenant: string;
  kind: ParticipantKind;
  participantId: string;
  documentType: string;
  /** Media type that the caller claims; empty when it claims none. */
  mediaType: string;
  content: AsyncIterable<Uint8Array>;
  /** What was said at the end of the content. Throws INVALID_ARGUMENT when the content was cut off. */
  end(): { documentNumber: string | undefined };
}

export interface Uploaded {
  document: Document;
  /** True when the same file was kept already. */
  isRepeat: boolean;
}

export type UploadDocument = (upload: Upload) => Promise<Uploaded>;

/**
 * Keeps a file of a participant, sealed on its way to the store. The same file of the same document again is what was kept,
 * also when both come at once, until that can no longer be decided. A number that differs from the one declared before
 * ends the undecided files of the other number in the same commit. What fails keeps nothing.
 */
export const makeUploadDocument =
  (deps: UploadDocumentDeps): UploadDocument =>
  async (upload) => {
    const { participants, documents, files, ids, clock } = deps;
    const { tenant, kind, participantId: entityId } = upload;
    const documentType = parseDocumentType(upload.documentType);
    const participant = await participants.find(tenant, kind, entityId);
    const key = await participants.keyOf(tenant, entityId);
    if (participant === undefined || key === undefined) throw notThere();
    const fileId = ids.bytes(12).toString("hex");
    let found: ContentFacts | undefined;
    const inspected = inspectContent(upload.content, upload.mediaType, (facts) => {
      // Here at the latest: what was cut off must never look complete.
      parseDocumentNumber(upload.end().documentNumber);
      found = facts;
    });
    await files.write(fileId, sealSegments(fileKeyOf(key, { tenant, fileId }), inspected), clock.now());
    try {
      if (found === undefined) throw new Error("a file was stored that was not inspected");
      const number = upload.end().documentNumber ?? numberOf(participant, documentType);
      const keys = keysOf(deps.index, { tenant, entityId, documentType, number, sha256: found.sha256 });
      const id = ids.uuid();
      const sealed = sealFacts(key, { tenant, id }, { ...found, ...(number !== undefined && { number }) }, ids);
      const now = clock.now();
      const facts = { id, tenant, kind, entityId, documentType, fileId, sealed, isRead: false, createdAt: now };
      const kept = await keep(deps, moved(received(facts), "PENDING", now, now), keys);
      if ((await participants.keyOf(tenant, entityId)) !== undefined) return kept;
      // A participant that is erased meanwhile takes the document along.
      await documents.eraseOf(tenant, entityId);
      throw notThere();
    } catch (error) {
      await files.remove(fileId);
      throw error;
    }
  };

/** The number that is known of the participant, if it is that of such a document. */
const numberOf = ({ fields }: Participant, documentType: string): string | undefined =>
  canonicalDocumentType(fields.identificationType ?? "") === documentType ? fields.identification : undefined;

const notThere = (): DomainError => new DomainError("PARTICIPANT_NOT_FOUND", "there is no such record");

type Said = Pick<Document, "tenant" | "entityId" | "documentType"> & { number: string | undefined; sha256: string };

function keysOf(index: BlindIndex, { tenant, entityId, documentType, number, sha256 }: Said): DocumentKeys {
  const comparable = number === undefined ? "" : comparableNumber(number);
  return {
    ...declarationKeys(index, { tenant, entityId, documentType, number }),
    content: index(tenant, "document", entityId, documentType, comparable, sha256),
  };
}

/** The hashes by which a participant's document of a type, and its number, are known. */
const declarationKeys = (
  index: BlindIndex,
  { tenant, entityId, documentType, number }: Omit<Said, "sha256">,
): Omit<DocumentKeys, "content"> => ({
  claim: index(tenant, "documentClaim", entityId, documentType),
  number: number === undefined ? undefined : index(tenant, "documentNumber", documentType, comparableNumber(number)),
});

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
      const number = (await documents.declare(document, keys, tx)) ?? undefined;
      if (keys.number !== undefined) {
        for (const older of await documents.undecided(keys.claim, keys.number, tx)) {
          await documents.replace(older, superseded(older, document.createdAt), tx);
        }
      }
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
