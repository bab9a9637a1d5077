import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { DocumentFiles } from "../store/document-files";
import type { DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";
import type { SessionStore } from "../store/session-store";

export interface EraseParticipantDeps {
  participants: Pick<ParticipantStore, "erase">;
  sessions: Pick<SessionStore, "eraseOf">;
  reviews: Pick<ReviewStore, "eraseOf">;
  documents: Pick<DocumentStore, "eraseOf">;
  files: Pick<DocumentFiles, "remove">;
  clock: Clock;
}

export type EraseParticipant = (tenant: string, id: string) => Promise<void>;

/**
 * Destroys the keys of a record's data, of its sessions and of its reviews: the record's first, so that no session is added
 * after the others were found. Documents go with the record's key, and their bytes are removed too. Again, it does what was
 * left undone.
 */
export const makeEraseParticipant =
  ({ participants, sessions, reviews, documents, files, clock }: EraseParticipantDeps): EraseParticipant =>
  async (tenant, id) => {
    const isThere = await participants.erase(tenant, id, clock.now());
    await sessions.eraseOf(tenant, id);
    await reviews.eraseOf(tenant, id);
    for (const fileId of await documents.eraseOf(tenant, id)) await files.remove(fileId);
    if (!isThere) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such record");
  };
