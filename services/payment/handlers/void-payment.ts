import type { VoidPaymentRequest, VoidPaymentResponse } from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { CommandPayment } from "../operations/command-payment";

export const voidPaymentHandler =
  (commandPayment: CommandPayment) =>
  async ({ tenant, externalPaymentId }: VoidPaymentRequest): Promise<VoidPaymentResponse> => {
    const { answer, replayed } = await commandPayment(tenant, externalPaymentId, { kind: "void" });
    return { bodyJson: Buffer.from(answer), replayed };
  };
