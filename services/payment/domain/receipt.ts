import { invalid } from "../../shared/kernel/errors";
import type { Money } from "../../shared/kernel/money";
import { type DescribedReason, describeReason } from "../../shared/kernel/reason-codes";
import type { TransactionState } from "../../shared/kernel/transaction-states";
import type { Payment } from "./payment";
import type { PaymentStatus } from "./payment-status";
import { responseCodeOf } from "./response-codes";

/** The newest form in which a receipt can be asked for. Form 0 is for callers who render no receipt. */
const newestForm = 1;

/** Throws INVALID_ARGUMENT for a form that no gateway renders. */
export function requireForm(form: number): number {
  if (form >= 0 && form <= newestForm) return form;
  throw invalid([{ field: "answerForm", message: `must be from 0 to ${newestForm}` }]);
}

/** Returns where the cardholder confirms the payment, while a challenge is open. */
export const openChallenge = ({ state, pull }: Payment): string | undefined =>
  state === "WaitingChallenge3ds" ? pull?.acsUrl : undefined;

/** States in which no provider has reported anything yet about the money that is to be collected. */
const unheard: readonly TransactionState[] = ["Created", "PaymentProcessing"];

/**
 * True once the content of the first answer is certain. A payment that only pays out is answered when it is stored. A payment that
 * collects is answered when its provider has decided, has asked for a challenge, or has not answered in time; a PULL must also be at rest
 * or waiting.
 */
export function isAnswerable({ type, state, execution: { step, attempts } }: Payment): boolean {
  if (type === "PUSH" || step === undefined || attempts > 0) return true;
  return type === "PULLPUSH" && !unheard.includes(state);
}

/** The first answer that the caller of a payment received. Fields that can change later keep their first value. */
export interface PaymentReceipt {
  /** The form that was asked for first. */
  form: number;
  paymentId: string;
  externalId: string;
  amount: Money;
  createdAt: Date;
  status: PaymentStatus;
  responseCode: string;
  automaticReversed: boolean;
  message: string | undefined;
  authCode: string | undefined;
  challengeUrl: string | undefined;
  /** The reason, worded as it was at that time; undefined while the payment is pending, and where the outcome is what was asked for. */
  reason: DescribedReason | undefined;
}

/** The parts of a receipt that are stored; the payment itself never changes the others. */
export type ReceiptFacts = Omit<PaymentReceipt, "paymentId" | "externalId" | "amount" | "createdAt">;

/**
 * Returns the facts of the first answer to a payment, once they are certain. The answer never says that a payment which collects and pays
 * out has ended, whatever became of its first leg.
 */
export function receiptFacts(payment: Payment, form: number): ReceiptFacts {
  const { pull, cause } = payment;
  const status = payment.type === "PULLPUSH" ? "PENDING" : payment.status;
  return {
    form,
    status,
    responseCode: responseCodeOf(payment),
    automaticReversed: payment.automaticReversed,
    message: pull?.message,
    authCode: pull?.authCode,
    challengeUrl: openChallenge(payment),
    reason: status === "PENDING" || cause === undefined ? undefined : describeReason(cause),
  };
}

/** Builds the receipt of a payment from the facts of its first answer. */
export const receiptOf = (
  { id, externalId, amount, createdAt }: Pick<Payment, "id" | "externalId" | "amount" | "createdAt">,
  facts: ReceiptFacts,
): PaymentReceipt => ({ ...facts, paymentId: id, externalId, amount, createdAt });
