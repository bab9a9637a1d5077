import {
  type ListMovementsRequest,
  type ListMovementsResponse,
  MovementKind,
} from "../../../proto/gen/corridor/wallet/v1/movement_service";
import { listName, readListCursor, writeListCursor } from "../../shared/kernel/list-cursor";
import type { ReadMovements } from "../operations/read-movements";
import { encodeMovement, movementKindCodec } from "./movement-codec";

const maxLimit = 200;

export const listMovementsHandler =
  (movements: Pick<ReadMovements, "list">) =>
  async (request: ListMovementsRequest): Promise<ListMovementsResponse> => {
    const { tenant, walletId, from, until, after, limit } = request;
    const kind = request.kind === MovementKind.UNSPECIFIED ? undefined : movementKindCodec.decode(request.kind);
    const filter = { kind, walletId, from, until };
    const list = listName("movements", { tenant }, filter);
    const found = await movements.list(tenant, filter, {
      after: after === undefined ? undefined : readListCursor(list, after),
      limit: Math.min(Math.max(limit, 1), maxLimit),
    });
    return {
      movements: found.movements.map(encodeMovement),
      next: found.next && writeListCursor(list, found.next),
    };
  };
