import type {
  CreateTransferRequest,
  CreateTransferResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { SubmitRequest } from "../operations/submit-request";
import { encodeTransfer } from "./receipt-codec";
import { decodeTransfer } from "./request-codec";

export const createTransferHandler =
  (submit: SubmitRequest) =>
  async ({ tenant, transfer, answerForm }: CreateTransferRequest): Promise<CreateTransferResponse> =>
    encodeTransfer(await submit(decodeTransfer({ tenant, intent: transfer, answerForm })));
