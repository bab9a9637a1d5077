import type {
  CreateTransactionRequest,
  CreateTransactionResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { parseTransaction } from "../domain/wallet-request";
import type { SubmitRequest } from "../operations/submit-request";
import { decodeBody, encodeAnswer } from "./codec";

export const createTransactionHandler =
  (submit: SubmitRequest) =>
  async ({ tenant, bodyJson }: CreateTransactionRequest): Promise<CreateTransactionResponse> =>
    encodeAnswer(await submit(parseTransaction(tenant, decodeBody(bodyJson))));
