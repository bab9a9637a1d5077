import type { Tx } from "../../shared/storage/mongo";
import { comparableNumber, type Digests } from "../domain/blind-index";
import { canonicalDocumentType, superseded } from "../domain/document";
import type { Participant } from "../domain/participant";
import type { DocumentKeys, DocumentStore } from "../store/document-store";

/** The number that a participant declares for its document of a type. */
export interface Declaration {
  tenant: string;
  entityId: string;
  documentType: string;
  number: string | undefined;
}

/** The hashes of a participant's document of a type, and of its number. */
export const declarationKeys = (
  digests: Digests,
  { entityId, documentType, number }: Omit<Declaration, "tenant">,
): Omit<DocumentKeys, "content"> => ({
  claim: digests.index("documentClaim", entityId, documentType),
  number: number === undefined ? undefined : digests.index("documentNumber", documentType, comparableNumber(number)),
});

/**
 * Stores the number of a document, and ends the undecided files with another number. Returns the number that counts: the last declared one
 * if none is declared now.
 */
export async function supersedeDocuments(
  documents: Pick<DocumentStore, "declare" | "undecided" | "replace">,
  owner: Pick<Declaration, "tenant" | "entityId">,
  keys: Omit<DocumentKeys, "content">,
  at: Date,
  tx: Tx,
): Promise<string | undefined> {
  const number = (await documents.declare(owner, keys, tx)) ?? undefined;
  if (keys.number === undefined) return number;
  for (const older of await documents.undecided(keys.claim, keys.number, tx)) {
    await documents.replace(older, superseded(older, at), tx);
  }
  return number;
}

/** Returns the document number that a change of a record declares; undefined when it declares no new one. */
export function declaredBy(before: Participant, next: Participant): Declaration | undefined {
  const { identification: number, identificationType } = next.fields;
  const said = before.fields;
  const isSame = said.identification === number && said.identificationType === identificationType;
  if (isSame || number === undefined || identificationType === undefined) return undefined;
  const { tenant, id: entityId } = next;
  return { tenant, entityId, documentType: canonicalDocumentType(identificationType), number };
}
