import type {
  RefundPaymentRequest,
  RefundPaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { requireForm } from "../domain/receipt";
import type { CommandPayment } from "../operations/command-payment";
import { decodeRefund, encodeAction } from "./action-codec";

export const refundPaymentHandler =
  (commandPayment: CommandPayment) =>
  async (request: RefundPaymentRequest): Promise<RefundPaymentResponse> => {
    const { tenant, externalPaymentId: externalId, answerForm } = request;
    const command = { kind: "refund", ...decodeRefund(request) } as const;
    const { action, replayed } = await commandPayment({ tenant, externalId, command, form: requireForm(answerForm) });
    return { action: encodeAction(action), replayed };
  };
