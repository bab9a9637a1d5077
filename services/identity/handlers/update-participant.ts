import type {
  UpdateParticipantRequest,
  UpdateParticipantResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { UpdateParticipant } from "../operations/update-participant";
import { decodeKind, decodeMask, decodePerson, encodeParticipant } from "./participant-codec";

export const updateParticipantHandler =
  (updateParticipant: UpdateParticipant) =>
  async (request: UpdateParticipantRequest): Promise<UpdateParticipantResponse> => {
    const { tenant, participantId: id, expectedVersion } = request;
    const change = { given: decodePerson(request.details), paths: decodeMask(request.updateMask) };
    const record = { tenant, kind: decodeKind(request.kind), id, expectedVersion };
    const participant = await updateParticipant({ ...record, ...change });
    return { participant: encodeParticipant(participant) };
  };
