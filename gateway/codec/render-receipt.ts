import { type PaymentReceipt, PaymentStatus } from "../../proto/gen/corridor/payment/v1/payment_receipt";
import { paymentTime } from "../../services/shared/kernel/clock";
import { DomainError } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { formatMoney, money } from "../../services/shared/kernel/money";
import type { Answered } from "../contract/infer";
import type { paymentReceipt } from "../contract/payment-receipt";

/** The receipt form that this release requests. */
export const receiptForm = 1;

/** The API's words for the status of a payment. */
export const statusWords: Readonly<Record<PaymentStatus, Rendered["status"] | undefined>> = {
  [PaymentStatus.UNSPECIFIED]: undefined,
  [PaymentStatus.PENDING]: "PENDING",
  [PaymentStatus.AUTHORIZED]: "AUTHORIZED",
  [PaymentStatus.CAPTURED]: "CAPTURED",
  [PaymentStatus.REFUNDED]: "REFUNDED",
  [PaymentStatus.VOIDED]: "VOIDED",
  [PaymentStatus.DECLINED]: "DECLINED",
  [PaymentStatus.ERROR]: "ERROR",
  [PaymentStatus.UNRECOGNIZED]: undefined,
};

type Rendered = Answered<typeof paymentReceipt>;

function form1({ amount, createdAt, ...receipt }: PaymentReceipt): Rendered {
  const status = statusWords[receipt.status];
  if (amount === undefined || createdAt === undefined || status === undefined) {
    throw new Error("the payment service sent a receipt without amount, time or status");
  }
  const { paymentId, parentPaymentId, externalPaymentId, message, authCode, challengeUrl, reason } = receipt;
  return {
    amount: exactNumber(formatMoney(money(amount.amountMinor, amount.currency))),
    paymentId,
    parentPaymentId,
    externalPaymentId,
    created: paymentTime(createdAt),
    status,
    approved: status === "AUTHORIZED" || status === "CAPTURED",
    captured: status === "CAPTURED",
    voided: false,
    responseCode: receipt.responseCode,
    automaticReversed: receipt.automaticReversed,
    ...(message === undefined ? {} : { message }),
    ...(authCode === undefined ? {} : { authCode }),
    ...(challengeUrl === undefined ? {} : { redirectAcsUrl: challengeUrl }),
    ...(reason && {
      reasonCode: reason.code,
      // The payment service always answers one of these.
      whoseMove: reason.whoseMove as NonNullable<Rendered["whoseMove"]>,
      reasonMessage: reason.sentence,
    }),
  };
}

/**
 * Renderers of receipts by the number of their form. A form never changes: a caller who repeats a payment gets the bytes of the first
 * answer. A new field of the answer makes a new form, which one release can render before any release requests it.
 */
const forms: Readonly<Record<number, (receipt: PaymentReceipt) => Rendered>> = {
  // Form 0 is recorded for callers who render no receipt: through this API it is rendered as form 1.
  0: form1,
  1: form1,
};

/** The answer to a payment. JSON.stringify always produces the same bytes for it. */
export function renderReceipt(receipt: PaymentReceipt | undefined): Rendered {
  if (receipt === undefined) throw new Error("the payment service sent no receipt");
  const render = forms[receipt.answerForm];
  if (render === undefined) throw new DomainError("UNAVAILABLE", "the answer is in a form of a later release");
  return render(receipt);
}

/** Header that marks the answer to a repeated request as the first answer. */
export const replayedHeader = (replayed: boolean): Readonly<Record<string, string>> =>
  replayed ? { "idempotency-replayed": "true" } : {};
