import type { PaymentReceipt as WireReceipt } from "../../../proto/gen/corridor/payment/v1/payment_receipt";
import type { PaymentReceipt } from "../domain/receipt";
import { encodeMoney } from "./money-codec";
import { paymentStatusCodec } from "./payment-status-codec";

export const encodeReceipt = ({
  form,
  paymentId,
  externalId,
  amount,
  status,
  ...facts
}: PaymentReceipt): WireReceipt => ({
  ...facts,
  answerForm: form,
  paymentId,
  parentPaymentId: paymentId,
  externalPaymentId: externalId,
  amount: encodeMoney(amount),
  status: paymentStatusCodec.encode(status),
});
