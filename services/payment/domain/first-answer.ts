import { paymentTime } from "../../shared/clock";
import { formatMoney } from "../../shared/money";
import type { Payment } from "./payment";

/** ISO 8583 response code 09: request in progress. */
const inProgress = "09";

/** The body that accepts a push. Stored with the payment and sent again, byte for byte, to whoever repeats the request. */
export function firstAnswer(payment: Payment): string {
  const fields = {
    paymentId: payment.id,
    parentPaymentId: payment.id,
    externalPaymentId: payment.externalId,
    created: paymentTime(payment.createdAt),
    status: payment.status,
    approved: false,
    captured: false,
    voided: false,
    responseCode: inProgress,
    automaticReversed: false,
  };
  // The amount is written as its own digits: a JS number could not hold every amount.
  return `{"amount":${formatMoney(payment.amount)},${JSON.stringify(fields).slice(1)}`;
}
