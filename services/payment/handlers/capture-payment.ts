import type {
  CapturePaymentRequest,
  CapturePaymentResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { requireForm } from "../domain/receipt";
import type { CommandPayment } from "../operations/command-payment";
import { decodeCaptured, encodeAction } from "./action-codec";

export const capturePaymentHandler =
  (commandPayment: CommandPayment) =>
  async (request: CapturePaymentRequest): Promise<CapturePaymentResponse> => {
    const { tenant, externalPaymentId: externalId, answerForm } = request;
    const command = { kind: "capture", amount: decodeCaptured(request.amount) } as const;
    const { action, replayed } = await commandPayment({ tenant, externalId, command, form: requireForm(answerForm) });
    return { action: encodeAction(action), replayed };
  };
