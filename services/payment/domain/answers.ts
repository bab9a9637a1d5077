import { paymentTime } from "../../shared/kernel/clock";
import { formatMoney, money } from "../../shared/kernel/money";
import { type Cause, tellReason } from "../../shared/kernel/reason-codes";
import type { TransactionState } from "../../shared/kernel/transaction-states";
import { legId } from "./legs";
import type { Payment, Pull, Refund } from "./payment";

/** ISO 8583 response codes: approved, declined without a reason, request in progress. */
const approvedCode = "00";
const declinedCode = "05";
const inProgress = "09";

/** Writes an answer whose amount has its own digits: a JS number could not hold every amount. */
const withAmount = (minor: bigint, currency: string, fields: object): string =>
  `{"amount":${formatMoney(money(minor, currency))},${JSON.stringify(fields).slice(1)}`;

const identityOf = (payment: Payment): object => ({
  paymentId: payment.id,
  parentPaymentId: payment.id,
  externalPaymentId: payment.externalId,
});

/** The response code of the card scheme, or what stands for it. */
export function responseCodeOf({ status, pull }: Payment): string {
  if (pull?.responseCode !== undefined) return pull.responseCode;
  if (status === "DECLINED") return declinedCode;
  return status === "AUTHORIZED" || status === "CAPTURED" ? approvedCode : inProgress;
}

/** Where the cardholder confirms, while a challenge is open. */
export const openChallenge = ({ state, pull }: Payment): string | undefined =>
  state === "WaitingChallenge3ds" ? pull?.acsUrl : undefined;

/** Why, as fields of an answer. */
function reasonOf(cause: Cause | undefined): object {
  if (cause === undefined) return {};
  const { code, whoseMove, sentence } = tellReason(cause);
  return { reasonCode: code, whoseMove, reasonMessage: sentence };
}

/** States in which nobody has yet said anything about the money that is to be collected. */
const unheard: readonly TransactionState[] = ["Created", "PaymentProcessing"];

/**
 * True once it is certain what the first answer says. What only pays out is answered when it is stored. What collects waits
 * until its provider has decided, has asked for a challenge, or has not answered in time; a PULL also until it rests or waits.
 */
export function isAnswerable({ type, state, step, tries }: Payment): boolean {
  if (type === "PUSH" || step === undefined || tries > 0) return true;
  return type === "PULLPUSH" && !unheard.includes(state);
}

const cardWords = ({ authCode, card, cvc, avs }: Pull): object => ({
  authCode: authCode ?? "",
  issuerName: card?.issuer ?? "",
  issuerCountry: card?.country ?? "",
  cvcResult: cvc ?? "N/A",
  avsResult: avs ?? "N/A",
});

/** The body that a void answers, as the specification lists it; the same however often it is asked for. */
export function voidAnswer(payment: Payment, pull: Pull): string {
  return withAmount(payment.amount.minor, payment.amount.currency, {
    ...identityOf(payment),
    created: paymentTime(pull.voidedAt ?? payment.updatedAt),
    approved: true,
    message: "Voided",
    automaticReversed: payment.automaticReversed,
    status: "VOIDED",
    captured: false,
    voided: true,
    ...cardWords(pull),
  });
}

/** The body that a capture answers; what happened to the payment later does not change it. */
export function captureAnswer(payment: Payment, pull: Pull): string {
  return withAmount(pull.capturedMinor, payment.amount.currency, {
    ...identityOf(payment),
    created: paymentTime(pull.capturedAt ?? payment.updatedAt),
    status: "CAPTURED",
    approved: true,
    captured: true,
    voided: false,
    responseCode: approvedCode,
    automaticReversed: false,
    ...cardWords(pull),
  });
}

/** The body that a refund answers: a child payment of its own. */
export function refundAnswer(payment: Payment, refund: Refund): string {
  const isDone = refund.status === "REFUNDED";
  return withAmount(refund.minor, payment.amount.currency, {
    paymentId: refund.id,
    parentPaymentId: legId(payment, "pull"),
    externalPaymentId: payment.externalId,
    externalRefundId: refund.externalId ?? null,
    created: paymentTime(refund.requestedAt),
    status: refund.status,
    approved: isDone,
    captured: false,
    voided: false,
    responseCode: isDone ? approvedCode : declinedCode,
    automaticReversed: false,
    ...(refund.reason === undefined ? {} : { reason: refund.reason }),
    ...reasonOf(refund.cause),
  });
}
