import type {
  UpdateParticipantRequest,
  UpdateParticipantResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { UpdateParticipant } from "../operations/update-participant";
import { decodeBody, decodeKind, encodeParticipant } from "./codec";

export const updateParticipantHandler =
  (updateParticipant: UpdateParticipant) =>
  async (request: UpdateParticipantRequest): Promise<UpdateParticipantResponse> => {
    const { tenant, participantId: id, expectedVersion } = request;
    const patch = decodeBody(request.patchJson);
    const participant = await updateParticipant({ tenant, kind: decodeKind(request.kind), id, patch, expectedVersion });
    return { participant: encodeParticipant(participant) };
  };
