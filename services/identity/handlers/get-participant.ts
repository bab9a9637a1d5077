import type {
  GetParticipantRequest,
  GetParticipantResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { DomainError } from "../../shared/kernel/errors";
import type { ParticipantStore } from "../store/participant-store";
import { decodeAnyKind, encodeParticipant } from "./participant-codec";

export const getParticipantHandler =
  (participants: Pick<ParticipantStore, "find">) =>
  async ({ tenant, kind, participantId }: GetParticipantRequest): Promise<GetParticipantResponse> => {
    const participant = await participants.find(tenant, decodeAnyKind(kind), participantId);
    if (participant === undefined) throw new DomainError("PARTICIPANT_NOT_FOUND", "there is no such person or company");
    return { participant: encodeParticipant(participant) };
  };
