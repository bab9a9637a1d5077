import type { Payment } from "./payment";
import { runningRefund } from "./reversal";
import type { Step } from "./steps";

/** Returns our own key of a step that follows an authorisation: the provider knows a capture, void or refund by this key. */
export const stepReference = (payment: Payment, step: Step): string =>
  step === "refund" ? (runningRefund(payment.refunds)?.id ?? payment.id) : `${payment.id}.${step}`;
