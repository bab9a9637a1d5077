import type { VoidPaymentRequest, VoidPaymentResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import { requireForm } from "../domain/receipt";
import type { CommandPayment } from "../operations/command-payment";
import { encodeAction } from "./action-codec";

export const voidPaymentHandler =
  (commandPayment: CommandPayment) =>
  async ({ tenant, externalPaymentId: externalId, answerForm }: VoidPaymentRequest): Promise<VoidPaymentResponse> => {
    const form = requireForm(answerForm);
    const { action, replayed } = await commandPayment({ tenant, externalId, command: { kind: "void" }, form });
    return { action: encodeAction(action), replayed };
  };
