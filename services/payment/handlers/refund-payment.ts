import type {
  RefundPaymentRequest,
  RefundPaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { readRefundBody } from "../domain/command-request";
import type { CommandPayment } from "../operations/command-payment";

export const refundPaymentHandler =
  (commandPayment: CommandPayment) =>
  async ({ tenant, externalPaymentId, bodyJson }: RefundPaymentRequest): Promise<RefundPaymentResponse> => {
    const refund = readRefundBody(bodyJson);
    const { answer, replayed } = await commandPayment(tenant, externalPaymentId, { kind: "refund", ...refund });
    return { bodyJson: Buffer.from(answer), replayed };
  };
