import type {
  FindParticipantsRequest,
  FindParticipantsResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { ParticipantStore } from "../store/participant-store";
import { decodeLimit, pageOf } from "./review-codec";

export const findParticipantsHandler =
  (participants: Pick<ParticipantStore, "findByDocument">) =>
  async ({ tenant, document, after, limit }: FindParticipantsRequest): Promise<FindParticipantsResponse> => {
    const found = await participants.findByDocument(tenant, document ?? {}, after, decodeLimit(limit) + 1);
    const { page, next } = pageOf(found, limit);
    return { participants: page.map(({ id, ...facts }) => ({ ...facts, participantId: id })), next };
  };
