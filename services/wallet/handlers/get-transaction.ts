import type {
  GetTransactionRequest,
  GetTransactionResponse,
} from "../../../proto/gen/corridor/wallet/v1/movement_service";
import type { ReadMovements } from "../operations/read-movements";
import { encodeMovement } from "./movement-codec";

export const getTransactionHandler =
  (movements: Pick<ReadMovements, "transaction">) =>
  async ({ tenant, id }: GetTransactionRequest): Promise<GetTransactionResponse> => ({
    movement: encodeMovement(await movements.transaction(tenant, id)),
  });
