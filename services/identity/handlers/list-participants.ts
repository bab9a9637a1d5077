import type {
  ListParticipantsRequest,
  ListParticipantsResponse,
} from "../../../proto/gen/corridor/identity/v1/identity_service";
import { listName, readListCursor, writeListCursor } from "../../shared/kernel/list-cursor";
import type { ParticipantStore } from "../store/participant-store";
import { decodeAnyStatus, decodeKind, encodeReasons, encodeStatus } from "./participant-codec";
import { decodeLimit } from "./review-codec";

/** A read without a decision: straight from the store. */
export const listParticipantsHandler =
  (participants: Pick<ParticipantStore, "list">) =>
  async (request: ListParticipantsRequest): Promise<ListParticipantsResponse> => {
    const { tenant, after, limit } = request;
    const filter = { kind: decodeKind(request.kind), status: decodeAnyStatus(request.status) };
    const list = listName("participants", { tenant }, filter);
    const { rows, next } = await participants.list(tenant, filter, {
      after: after === undefined ? undefined : readListCursor(list, after),
      limit: decodeLimit(limit),
    });
    return {
      participants: rows.map(({ id: participantId, status, reasonCodes, createdAt, updatedAt }) => ({
        participantId,
        status: encodeStatus(status),
        reasonCodes: encodeReasons(reasonCodes),
        createdAt,
        updatedAt,
      })),
      next: next && writeListCursor(list, next),
    };
  };
