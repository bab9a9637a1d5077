import type {
  AcceptPaymentRequest,
  AcceptPaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { requireForm } from "../domain/receipt";
import type { AcceptPayment } from "../operations/accept-payment";
import { encodeReceipt } from "./receipt-codec";
import { decodeRequest } from "./request-codec";

export const acceptPaymentHandler =
  (acceptPayment: AcceptPayment) =>
  async (request: AcceptPaymentRequest): Promise<AcceptPaymentResponse> => {
    const form = requireForm(request.answerForm);
    const { receipt, replayed } = await acceptPayment({ ...decodeRequest(request), form });
    return { receipt: encodeReceipt(receipt), replayed };
  };
