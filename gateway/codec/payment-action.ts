import type { Decimal as WireDecimal } from "../../proto/gen/corridor/common/v1/money";
import type { PaymentAction } from "../../proto/gen/corridor/payment/v1/payment_action";
import { paymentTime } from "../../services/shared/kernel/clock";
import { DomainError, type FieldViolation } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import { type Decimal, formatMoney, money } from "../../services/shared/kernel/money";
import type { Draft } from "../contract/draft";
import type { Answered, Infer } from "../contract/infer";
import type {
  captureReceipt,
  captureRequest,
  refundReceipt,
  refundRequest,
  voidReceipt,
} from "../contract/payment-actions";
import { renderReason } from "../render-reason";
import { statusWords } from "./render-receipt";

/** The answer form that this release requests. */
export const actionForm = 1;

const maxInt64 = 2n ** 63n - 1n;
/** Most decimals of an amount on the wire. */
const maxScale = 18;

const fits = ({ digits, scale }: Decimal): boolean => digits <= maxInt64 && scale <= maxScale;

/** Refuses amounts that are impossible in every currency, so that no message needs to carry them. */
export const unfitAmount = ({
  amount,
}: Draft<Infer<typeof captureRequest> | Infer<typeof refundRequest>>): readonly FieldViolation[] =>
  amount === undefined || fits(amount)
    ? []
    : [{ field: "amount", message: "must not have more digits than a currency can have" }];

export const toAmount = (amount: Decimal | undefined): WireDecimal | undefined =>
  amount && { unscaled: amount.digits, scale: amount.scale };

/** The members that all three answers begin with. */
function identityOf({ amount, effectiveAt, ...action }: PaymentAction) {
  const status = statusWords[action.status];
  if (amount === undefined || effectiveAt === undefined || status === undefined) {
    throw new Error("the payment service sent an answer without amount, time or status");
  }
  return {
    amount: exactNumber(formatMoney(money(amount.amountMinor, amount.currency))),
    paymentId: action.paymentId,
    parentPaymentId: action.parentPaymentId,
    externalPaymentId: action.externalPaymentId,
    created: paymentTime(effectiveAt),
    status,
  };
}

/** The response of the card's issuer. */
function issuerOf({ issuer }: PaymentAction) {
  if (issuer === undefined) throw new Error("the payment service sent an answer without what the issuer said");
  const { authCode, issuerName, issuerCountry, cvcResult, avsResult } = issuer;
  return { authCode, issuerName, issuerCountry, cvcResult, avsResult };
}

/**
 * Renderers of answers by the number of their form. A form never changes: a caller who repeats a command gets the bytes of the first
 * answer. A new field of an answer makes a new form, which one release can render before any release requests it.
 */
function byForm<Body>(form1: (action: PaymentAction) => Body): (action: PaymentAction | undefined) => Body {
  // Form 0 is recorded for callers who render no answer: through this API it is rendered as form 1.
  const forms: Readonly<Record<number, (action: PaymentAction) => Body>> = { 0: form1, 1: form1 };
  return (action) => {
    if (action === undefined) throw new Error("the payment service sent no answer");
    const render = forms[action.answerForm];
    if (render === undefined) throw new DomainError("UNAVAILABLE", "the answer is in a form of a later release");
    return render(action);
  };
}

/** The answer to a void. JSON.stringify always produces the same bytes for it and for the other answers. */
export const renderVoid = byForm((action): Answered<typeof voidReceipt> => {
  const { status, ...identity } = identityOf(action);
  return {
    ...identity,
    approved: true,
    message: "Voided",
    automaticReversed: action.automaticReversed,
    status,
    captured: false,
    voided: true,
    ...issuerOf(action),
  };
});

export const renderCapture = byForm(
  (action): Answered<typeof captureReceipt> => ({
    ...identityOf(action),
    approved: true,
    captured: true,
    voided: false,
    responseCode: action.responseCode,
    automaticReversed: action.automaticReversed,
    ...issuerOf(action),
  }),
);

export const renderRefund = byForm((action): Answered<typeof refundReceipt> => {
  const { externalRefundId, refundReason, reason } = action;
  const { amount, paymentId, parentPaymentId, externalPaymentId, created, status } = identityOf(action);
  if (externalRefundId === undefined) throw new Error("the payment service sent a refund without its id");
  return {
    amount,
    paymentId,
    parentPaymentId,
    externalPaymentId,
    externalRefundId,
    created,
    status,
    approved: status === "REFUNDED",
    captured: false,
    voided: false,
    responseCode: action.responseCode,
    automaticReversed: action.automaticReversed,
    ...(refundReason === undefined ? {} : { reason: refundReason }),
    ...renderReason(reason),
  };
});
