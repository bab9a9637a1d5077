import type {
  GetComplianceLevelsRequest,
  GetComplianceLevelsResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { DomainError } from "../../shared/kernel/errors";
import { type StandingDeps, standingOfParticipant } from "../operations/participant-standing";
import type { ParticipantStore } from "../store/participant-store";
import { encodeLevel } from "./participant-codec";

export interface GetComplianceLevelsDeps extends StandingDeps {
  participants: Pick<ParticipantStore, "find" | "findEach">;
}

export const getComplianceLevelsHandler =
  (deps: GetComplianceLevelsDeps) =>
  async ({ tenant, participantId }: GetComplianceLevelsRequest): Promise<GetComplianceLevelsResponse> => {
    const participant = await deps.participants.find(tenant, undefined, participantId);
    if (participant === undefined) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");
    const { level, levels } = await standingOfParticipant(deps, participant);
    const standings = levels.map((one) => ({ level: encodeLevel(one.level), missing: [...one.missing] }));
    return { level: encodeLevel(level), levels: standings };
  };
