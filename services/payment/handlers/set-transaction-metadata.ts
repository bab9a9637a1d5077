import type {
  SetTransactionMetadataRequest,
  SetTransactionMetadataResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { SetTransactionMetadata } from "../operations/set-transaction-metadata";
import { encodeTransaction } from "./transaction-codec";

export const setTransactionMetadataHandler =
  (setMetadata: SetTransactionMetadata) =>
  async (request: SetTransactionMetadataRequest): Promise<SetTransactionMetadataResponse> => ({
    transaction: encodeTransaction(await setMetadata(request)),
  });
