import type {
  CreateTransactionRequest,
  CreateTransactionResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { SubmitRequest } from "../operations/submit-request";
import { encodeTransaction } from "./receipt-codec";
import { decodeTransaction } from "./request-codec";

export const createTransactionHandler =
  (submit: SubmitRequest) =>
  async ({ tenant, transaction, answerForm }: CreateTransactionRequest): Promise<CreateTransactionResponse> =>
    encodeTransaction(await submit(decodeTransaction({ tenant, intent: transaction, answerForm })));
