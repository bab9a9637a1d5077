import type { VoidTransferRequest, VoidTransferResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { VoidTransfer } from "../operations/void-transfer";
import { encodeAnswer } from "./codec";

export const voidTransferHandler =
  (voidTransfer: VoidTransfer) =>
  async ({ tenant, externalTransferId }: VoidTransferRequest): Promise<VoidTransferResponse> =>
    encodeAnswer(await voidTransfer(tenant, externalTransferId));
