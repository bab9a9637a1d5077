import type {
  CancelPaymentRequest,
  CancelPaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { DomainError, hasReason } from "../../shared/kernel/errors";
import { externalTransactionId } from "../domain/payment";
import type { DirectPayment } from "../operations/direct-payment";

/** Cancels for an agent. Agents speak of transactions, so an unknown payment is refused as an unknown transaction. */
export const cancelPaymentHandler =
  (directPayment: DirectPayment) =>
  async ({ tenant, paymentId, agentId }: CancelPaymentRequest): Promise<CancelPaymentResponse> => {
    const payment = await directPayment(tenant, paymentId, { kind: "cancel" }, agentId).catch(asTransaction);
    return { externalTransactionId: externalTransactionId(payment), cancelledAt: payment.cancelledAt };
  };

function asTransaction(error: unknown): never {
  if (!hasReason(error, "PAYMENT_NOT_FOUND")) throw error;
  throw new DomainError("TRANSACTION_NOT_FOUND", "there is no such transaction", { cause: error });
}
