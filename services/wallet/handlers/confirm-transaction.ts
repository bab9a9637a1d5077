import type {
  ConfirmTransactionRequest,
  ConfirmTransactionResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { EndHold } from "../operations/end-hold";
import { encodeHoldEnd } from "./receipt-codec";

export const confirmTransactionHandler =
  (endHold: EndHold) =>
  async (request: ConfirmTransactionRequest): Promise<ConfirmTransactionResponse> =>
    encodeHoldEnd(await endHold(request, "COMPLETED"));
