import type {
  CancelPaymentRequest,
  CancelPaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { DirectPayment } from "../operations/direct-payment";

export const cancelPaymentHandler =
  (directPayment: DirectPayment) =>
  async ({ tenant, paymentId, agentId }: CancelPaymentRequest): Promise<CancelPaymentResponse> => {
    const { externalId, cancelledAt } = await directPayment(tenant, paymentId, { kind: "cancel" }, agentId);
    return { externalPaymentId: externalId, cancelledAt };
  };
