import type { Decimal as WireDecimal } from "../../../proto/gen/corridor/common/v1/money";
import type { PaymentAction as WireAction } from "../../../proto/gen/corridor/payment/v1/payment_action";
import { readCallerText } from "../../shared/kernel/caller-text";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import { externalIdRule, isExternalId } from "../../shared/kernel/external-id";
import type { Decimal } from "../../shared/kernel/money";
import type { PaymentAction } from "../domain/payment-action";
import { encodeMoney } from "./money-codec";
import { paymentStatusCodec } from "./payment-status-codec";

/** The most decimals of an amount on the wire. */
const maxScale = 18;
const maxReason = 255;

/** Reads an amount whose currency is its payment's currency. */
function decodeAmount(amount: WireDecimal | undefined, violations: FieldViolation[]): Decimal | undefined {
  if (amount === undefined) return undefined;
  const { unscaled: digits, scale } = amount;
  if (digits >= 0n && scale >= 0 && scale <= maxScale) return { digits, scale };
  violations.push({ field: "amount", message: `must not be negative and must have at most ${maxScale} decimals` });
  return undefined;
}

/** Returns the amount of a capture; undefined for everything. Throws INVALID_ARGUMENT. */
export function decodeCaptured(amount: WireDecimal | undefined): Decimal | undefined {
  const violations: FieldViolation[] = [];
  const read = decodeAmount(amount, violations);
  if (violations.length > 0) throw invalid(violations);
  return read;
}

interface SentRefund {
  externalRefundId: string;
  amount?: WireDecimal | undefined;
  reason?: string | undefined;
}

/** Reads a refund. Throws INVALID_ARGUMENT with a violation for every wrong field. */
export function decodeRefund({ externalRefundId: externalId, ...sent }: SentRefund) {
  const violations: FieldViolation[] = [];
  if (!isExternalId(externalId)) {
    violations.push({ field: "externalRefundId", message: externalId === "" ? "is required" : externalIdRule });
  }
  const amount = decodeAmount(sent.amount, violations);
  const reason = sent.reason === undefined ? undefined : readReason(sent.reason, violations);
  if (violations.length > 0) throw invalid(violations);
  return { externalId, amount, reason };
}

function readReason(text: string, violations: FieldViolation[]): string {
  const read = readCallerText(text);
  if ("problem" in read) violations.push({ field: "reason", message: read.problem });
  else if (read.value.length > maxReason) {
    violations.push({ field: "reason", message: `must be a text of at most ${maxReason} characters` });
  }
  return "value" in read ? read.value : text;
}

export const encodeAction = ({
  form,
  externalId,
  amount,
  status,
  issuer,
  refund,
  ...facts
}: PaymentAction): WireAction => ({
  ...facts,
  answerForm: form,
  externalPaymentId: externalId,
  amount: encodeMoney(amount),
  status: paymentStatusCodec.encode(status),
  issuer: issuer && {
    authCode: issuer.authCode,
    issuerName: issuer.issuerName,
    issuerCountry: issuer.issuerCountry,
    cvcResult: issuer.cvc,
    avsResult: issuer.avs,
  },
  externalRefundId: refund?.externalId,
  refundReason: refund?.reason,
});
