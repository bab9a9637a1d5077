import type {
  CheckTransactionRequest,
  CheckTransactionResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { CheckRequest } from "../operations/check-request";
import { decodeTransaction, encodeCheck } from "./request-codec";

export const checkTransactionHandler =
  (check: CheckRequest) =>
  async ({ tenant, transaction }: CheckTransactionRequest): Promise<CheckTransactionResponse> =>
    encodeCheck(await check(decodeTransaction({ tenant, intent: transaction, answerForm: 0 })));
