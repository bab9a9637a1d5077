import type { DocumentFiles } from "../store/document-files";
import type { DocumentStore } from "../store/document-store";
import type { ReviewStore } from "../store/review-store";
import type { SessionStore } from "../store/session-store";

export interface DestroyRecordsDeps {
  sessions: Pick<SessionStore, "eraseOf">;
  reviews: Pick<ReviewStore, "eraseOf">;
  documents: Pick<DocumentStore, "eraseOf">;
  files: Pick<DocumentFiles, "remove">;
}

/**
 * Destroys the keys of all records of a person or company beside its own, and removes its files. Repeatable. Returns the ids of its
 * documents.
 */
export async function destroyRecords(
  deps: DestroyRecordsDeps,
  tenant: string,
  participantId: string,
  at: Date,
): Promise<string[]> {
  await deps.sessions.eraseOf(tenant, participantId);
  await deps.reviews.eraseOf(tenant, participantId, at);
  const documents = await deps.documents.eraseOf(tenant, participantId);
  for (const { fileId } of documents) await deps.files.remove(fileId);
  return documents.map(({ id }) => id);
}
