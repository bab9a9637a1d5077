import type { Clock } from "../../shared/clock";
import type { Ids } from "../../shared/ids";
import type { JsonObject } from "../../shared/json";
import { type Participant, type ParticipantKind, requireKind, screened } from "../domain/participant";
import { parsePerson } from "../domain/person-fields";
import type { Screening } from "../ports";
import type { ParticipantStore } from "../store/participant-store";

export interface CreateParticipantDeps {
  participants: Pick<ParticipantStore, "add">;
  screening: Screening;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export type CreateParticipant = (tenant: string, kind: ParticipantKind, body: JsonObject) => Promise<Participant>;

/** Keeps a person or company, approved unless the list names it. */
export const makeCreateParticipant =
  ({ participants, screening, clock, ids }: CreateParticipantDeps): CreateParticipant =>
  async (tenant, kind, body) => {
    const fields = requireKind(kind, parsePerson(body));
    const at = clock.now();
    const facts = { id: ids.uuid(), tenant, kind, version: 1, createdAt: at, updatedAt: at };
    const participant = { ...facts, ...screened(fields, screening.screen(fields), screening.version()) };
    await participants.add(participant);
    return participant;
  };
