import type {
  VoidTransactionRequest,
  VoidTransactionResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { EndHold } from "../operations/end-hold";
import { encodeAnswer } from "./codec";

export const voidTransactionHandler =
  (endHold: EndHold) =>
  async ({ tenant, transactionId }: VoidTransactionRequest): Promise<VoidTransactionResponse> =>
    encodeAnswer(await endHold({ tenant, transactionId }, "VOIDED"));
