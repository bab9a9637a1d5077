import type {
  CancelPaymentRequest,
  CancelPaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { externalTransactionId } from "../domain/payment";
import type { DirectPayment } from "../operations/direct-payment";

export const cancelPaymentHandler =
  (directPayment: DirectPayment) =>
  async ({ tenant, paymentId, agentId }: CancelPaymentRequest): Promise<CancelPaymentResponse> => {
    const payment = await directPayment(tenant, paymentId, { kind: "cancel" }, agentId);
    return { externalTransactionId: externalTransactionId(payment), cancelledAt: payment.cancelledAt };
  };
