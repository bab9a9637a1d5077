import type {
  GetComplianceLevelsRequest,
  GetComplianceLevelsResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { DomainError } from "../../shared/errors";
import { levelsOf } from "../domain/compliance-level";
import { toJson } from "../domain/person-fields";
import type { PersonSchemas } from "../ports";
import type { DocumentStore } from "../store/document-store";
import type { ParticipantStore } from "../store/participant-store";
import type { SessionStore } from "../store/session-store";

export interface GetComplianceLevelsDeps {
  participants: Pick<ParticipantStore, "find">;
  documents: Pick<DocumentStore, "verifiedTypes">;
  sessions: Pick<SessionStore, "verifiedTypes">;
  schemas: Pick<PersonSchemas, "check">;
}

export const getComplianceLevelsHandler =
  ({ participants, documents, sessions, schemas }: GetComplianceLevelsDeps) =>
  async ({ tenant, participantId }: GetComplianceLevelsRequest): Promise<GetComplianceLevelsResponse> => {
    const participant = await participants.find(tenant, undefined, participantId);
    if (participant === undefined) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such record");
    const country = participant.fields.address?.countryCode;
    const [unmet, ...verified] = await Promise.all([
      country === undefined ? [] : schemas.check(country, toJson(participant.fields)),
      documents.verifiedTypes(tenant, participantId),
      sessions.verifiedTypes(tenant, participantId),
    ]);
    const fields = unmet.map(({ field }) => field);
    const { level, levels } = levelsOf(participant, fields, new Set(verified.flat()));
    return { level, levels: levels.map(({ level: name, missing }) => ({ level: name, missing: [...missing] })) };
  };
