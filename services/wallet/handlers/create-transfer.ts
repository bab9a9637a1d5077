import type {
  CreateTransferRequest,
  CreateTransferResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { parseTransfer } from "../domain/wallet-request";
import type { SubmitRequest } from "../operations/submit-request";
import { decodeBody, encodeAnswer } from "./codec";

export const createTransferHandler =
  (submit: SubmitRequest) =>
  async ({ tenant, bodyJson }: CreateTransferRequest): Promise<CreateTransferResponse> =>
    encodeAnswer(await submit(parseTransfer(tenant, decodeBody(bodyJson))));
