import type {
  CreateParticipantRequest,
  CreateParticipantResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { CreateParticipant } from "../operations/create-participant";
import { decodeBody, decodeKind, encodeParticipant } from "./codec";

export const createParticipantHandler =
  (createParticipant: CreateParticipant) =>
  async ({ tenant, kind, bodyJson }: CreateParticipantRequest): Promise<CreateParticipantResponse> => ({
    participant: encodeParticipant(await createParticipant(tenant, decodeKind(kind), decodeBody(bodyJson))),
  });
