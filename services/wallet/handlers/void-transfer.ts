import type { VoidTransferRequest, VoidTransferResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { VoidTransfer } from "../operations/void-transfer";
import { encodeTransferVoid } from "./receipt-codec";

export const voidTransferHandler =
  (voidTransfer: VoidTransfer) =>
  async (request: VoidTransferRequest): Promise<VoidTransferResponse> =>
    encodeTransferVoid(await voidTransfer(request));
