import type {
  CapturePaymentRequest,
  CapturePaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { readAmountBody } from "../domain/command-request";
import type { CommandPayment } from "../operations/command-payment";

export const capturePaymentHandler =
  (commandPayment: CommandPayment) =>
  async ({ tenant, externalPaymentId, bodyJson }: CapturePaymentRequest): Promise<CapturePaymentResponse> => {
    const { amount } = readAmountBody(bodyJson);
    const { answer, replayed } = await commandPayment(tenant, externalPaymentId, { kind: "capture", amount });
    return { bodyJson: Buffer.from(answer), replayed };
  };
