import type {
  ReceiveCallbackRequest,
  ReceiveCallbackResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { SettleCallback } from "../operations/settle-callback";

export const receiveCallbackHandler =
  (settleCallback: SettleCallback) =>
  async ({ rail, signature, body }: ReceiveCallbackRequest): Promise<ReceiveCallbackResponse> => {
    await settleCallback({ provider: rail, signature, body: Buffer.from(body) });
    return {};
  };
