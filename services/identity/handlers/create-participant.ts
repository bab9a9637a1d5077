import type {
  CreateParticipantRequest,
  CreateParticipantResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { CreateParticipant } from "../operations/create-participant";
import { decodeKind, decodePerson, encodeParticipant } from "./participant-codec";

export const createParticipantHandler =
  (createParticipant: CreateParticipant) =>
  async ({ tenant, kind, details }: CreateParticipantRequest): Promise<CreateParticipantResponse> => ({
    participant: encodeParticipant(await createParticipant(tenant, decodeKind(kind), decodePerson(details))),
  });
