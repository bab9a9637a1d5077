import { invalid } from "../../shared/kernel/errors";
import type { Money } from "../../shared/kernel/money";
import { type DescribedReason, describeReason } from "../../shared/kernel/reason-codes";
import type { TransactionState } from "../../shared/kernel/transaction-states";
import type { Payment } from "./payment";
import type { PaymentStatus } from "./payment-status";
import { responseCodeOf } from "./response-codes";

/** Newest form in which a receipt can be asked for. Form 0 is that of callers who render none. */
const newestForm = 1;

/** Throws INVALID_ARGUMENT for a form that no gateway renders. */
export function requireForm(form: number): number {
  if (form >= 0 && form <= newestForm) return form;
  throw invalid([{ field: "answerForm", message: `must be from 0 to ${newestForm}` }]);
}

/** Where the cardholder confirms, while a challenge is open. */
export const openChallenge = ({ state, pull }: Payment): string | undefined =>
  state === "WaitingChallenge3ds" ? pull?.acsUrl : undefined;

/** States in which no provider has said anything yet about the money that is to be collected. */
const unheard: readonly TransactionState[] = ["Created", "PaymentProcessing"];

/**
 * True once it is certain what the first answer says. What only pays out is answered when it is stored. What collects waits
 * until its provider has decided, has asked for a challenge, or has not answered in time; a PULL also until it rests or waits.
 */
export function isAnswerable({ type, state, execution: { step, attempts } }: Payment): boolean {
  if (type === "PUSH" || step === undefined || attempts > 0) return true;
  return type === "PULLPUSH" && !unheard.includes(state);
}

/** What the caller of a payment was answered first. What can change later is kept as it was. */
export interface PaymentReceipt {
  /** Form that was asked for first. */
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
  /** Why, in the words of that day; undefined while it is pending, and where it is what was asked for. */
  reason: DescribedReason | undefined;
}

/** What of a receipt is stored: the payment itself never changes the rest. */
export type ReceiptFacts = Omit<PaymentReceipt, "paymentId" | "externalId" | "amount" | "createdAt">;

/**
 * The facts of the first answer to a payment, once it is certain what they are. A payment that collects and pays out is never said to
 * be at its end here, whatever became of its first leg.
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

/** The receipt of a payment whose first answer had these facts. */
export const receiptOf = (
  { id, externalId, amount, createdAt }: Pick<Payment, "id" | "externalId" | "amount" | "createdAt">,
  facts: ReceiptFacts,
): PaymentReceipt => ({ ...facts, paymentId: id, externalId, amount, createdAt });
