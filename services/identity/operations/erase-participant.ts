import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { ParticipantStore } from "../store/participant-store";

export interface EraseParticipantDeps {
  participants: Pick<ParticipantStore, "erase">;
  clock: Clock;
}

export type EraseParticipant = (tenant: string, id: string) => Promise<void>;

/** Destroys the key of a record's data. Again, it changes nothing. */
export const makeEraseParticipant =
  ({ participants, clock }: EraseParticipantDeps): EraseParticipant =>
  async (tenant, id) => {
    const isThere = await participants.erase(tenant, id, clock.now());
    if (!isThere) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such record");
  };
