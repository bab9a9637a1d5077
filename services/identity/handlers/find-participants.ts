import type {
  FindParticipantsRequest,
  FindParticipantsResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import type { ParticipantStore } from "../store/participant-store";
import { encodeKind, encodeStatus } from "./participant-codec";
import { decodeLimit, pageOf } from "./review-codec";

export const findParticipantsHandler =
  (participants: Pick<ParticipantStore, "findByDocument">) =>
  async ({ tenant, document, after, limit }: FindParticipantsRequest): Promise<FindParticipantsResponse> => {
    const found = await participants.findByDocument(tenant, document ?? {}, after, decodeLimit(limit) + 1);
    const { page, next } = pageOf(found, limit);
    const rows = page.map(({ id: participantId, kind, status, createdAt }) => ({
      participantId,
      kind: encodeKind(kind),
      status: encodeStatus(status),
      createdAt,
    }));
    return { participants: rows, next };
  };
