import type { RejectHoldRequest, RejectHoldResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { DirectPayment } from "../operations/direct-payment";

export const rejectHoldHandler =
  (directPayment: DirectPayment) =>
  async ({ tenant, paymentId }: RejectHoldRequest): Promise<RejectHoldResponse> => {
    const { state } = await directPayment(tenant, paymentId, { kind: "rejectHold" });
    return { transactionState: state };
  };
