import type {
  EraseParticipantRequest,
  EraseParticipantResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { EraseParticipant } from "../operations/erase-participant";

export const eraseParticipantHandler =
  (eraseParticipant: EraseParticipant) =>
  async ({ tenant, participantId }: EraseParticipantRequest): Promise<EraseParticipantResponse> => {
    await eraseParticipant(tenant, participantId);
    return {};
  };
