import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { ParticipantStore } from "../store/participant-store";
import type { SessionStore } from "../store/session-store";

export interface EraseParticipantDeps {
  participants: Pick<ParticipantStore, "erase">;
  sessions: Pick<SessionStore, "eraseOf">;
  clock: Clock;
}

export type EraseParticipant = (tenant: string, id: string) => Promise<void>;

/** Destroys the keys of a record's data and of its sessions. Again, it changes nothing. */
export const makeEraseParticipant =
  ({ participants, sessions, clock }: EraseParticipantDeps): EraseParticipant =>
  async (tenant, id) => {
    await sessions.eraseOf(tenant, id);
    const isThere = await participants.erase(tenant, id, clock.now());
    if (!isThere) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such record");
  };
