import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { ParticipantStore } from "../store/participant-store";
import type { ReviewStore } from "../store/review-store";
import type { SessionStore } from "../store/session-store";

export interface EraseParticipantDeps {
  participants: Pick<ParticipantStore, "erase">;
  sessions: Pick<SessionStore, "eraseOf">;
  reviews: Pick<ReviewStore, "eraseOf">;
  clock: Clock;
}

export type EraseParticipant = (tenant: string, id: string) => Promise<void>;

/**
 * Destroys the keys of a record's data, of its sessions and of its reviews: the record's first, so that no session is added after the others
 * were found. Again, it does what was left undone.
 */
export const makeEraseParticipant =
  ({ participants, sessions, reviews, clock }: EraseParticipantDeps): EraseParticipant =>
  async (tenant, id) => {
    const isThere = await participants.erase(tenant, id, clock.now());
    await sessions.eraseOf(tenant, id);
    await reviews.eraseOf(tenant, id);
    if (!isThere) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such record");
  };
