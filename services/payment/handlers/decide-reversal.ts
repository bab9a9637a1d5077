import type {
  DecideReversalRequest,
  DecideReversalResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { DirectPayment } from "../operations/direct-payment";

export const decideReversalHandler =
  (directPayment: DirectPayment) =>
  async ({ tenant, paymentId, approve }: DecideReversalRequest): Promise<DecideReversalResponse> => {
    const kind = approve ? "approveReversal" : "refuseReversal";
    const { state } = await directPayment(tenant, paymentId, { kind });
    return { transactionState: state };
  };
