import type { Clock } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { JsonObject } from "../../shared/json";
import { changed, type Participant, type ParticipantKind, requireKind } from "../domain/participant";
import { mergePatch, parsePerson, toJson } from "../domain/person-fields";
import type { Screening } from "../ports";
import type { ParticipantStore } from "../store/participant-store";

export interface UpdateParticipantDeps {
  participants: Pick<ParticipantStore, "find" | "replace">;
  screening: Screening;
  clock: Clock;
}

export interface UpdateParticipantCommand {
  tenant: string;
  kind: ParticipantKind;
  id: string;
  patch: JsonObject;
  /** The version that the caller has seen; undefined changes any. */
  expectedVersion: number | undefined;
}

export type UpdateParticipant = (command: UpdateParticipantCommand) => Promise<Participant>;

const maxTries = 5;

/** Merges a patch into a record and screens it anew. Without an expected version it tries again when others are faster. */
export const makeUpdateParticipant =
  ({ participants, screening, clock }: UpdateParticipantDeps): UpdateParticipant =>
  async ({ tenant, kind, id, patch, expectedVersion }) => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const before = await participants.find(tenant, kind, id);
      if (before === undefined) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such record");
      if (expectedVersion !== undefined && expectedVersion !== before.version) {
        throw new DomainError("PRECONDITION_FAILED", "the record has changed since it was read");
      }
      const fields = requireKind(kind, parsePerson(mergePatch(toJson(before.fields), patch)));
      const next = changed(before, fields, screening.screen(fields), screening.version(), clock.now());
      if (await participants.replace(next)) return next;
    }
    throw new DomainError("UNAVAILABLE", "the record is being changed by others");
  };
