import type {
  ConfirmTransactionRequest,
  ConfirmTransactionResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { EndHold } from "../operations/end-hold";
import { encodeAnswer } from "./codec";

export const confirmTransactionHandler =
  (endHold: EndHold) =>
  async ({ tenant, transactionId }: ConfirmTransactionRequest): Promise<ConfirmTransactionResponse> =>
    encodeAnswer(await endHold({ tenant, transactionId }, "COMPLETED"));
