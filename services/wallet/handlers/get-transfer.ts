import type { GetTransferRequest, GetTransferResponse } from "../../../proto/gen/corridor/wallet/v1/movement_service";
import type { ReadMovements } from "../operations/read-movements";
import { encodeMovement } from "./movement-codec";

export const getTransferHandler =
  (movements: Pick<ReadMovements, "transfer">) =>
  async ({ tenant, id }: GetTransferRequest): Promise<GetTransferResponse> => ({
    movement: encodeMovement(await movements.transfer(tenant, id)),
  });
