import type { CheckTransferRequest, CheckTransferResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { CheckRequest } from "../operations/check-request";
import { decodeTransfer, encodeCheck } from "./request-codec";

export const checkTransferHandler =
  (check: CheckRequest) =>
  async ({ tenant, transfer }: CheckTransferRequest): Promise<CheckTransferResponse> =>
    encodeCheck(await check(decodeTransfer({ tenant, intent: transfer, answerForm: 0 })));
