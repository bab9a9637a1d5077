import type {
  VoidTransactionRequest,
  VoidTransactionResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { EndHold } from "../operations/end-hold";
import { encodeHoldEnd } from "./receipt-codec";

export const voidTransactionHandler =
  (endHold: EndHold) =>
  async (request: VoidTransactionRequest): Promise<VoidTransactionResponse> =>
    encodeHoldEnd(await endHold(request, "VOIDED"));
