import { renderCapture, renderRefund, renderVoid } from "../../gateway/codec/payment-action";
import type { Decimal } from "../../proto/gen/corridor/common/v1/money";
import { PaymentStatus } from "../../proto/gen/corridor/payment/v1/payment_receipt";
import type {
  CapturePaymentRequest,
  CapturePaymentResponse,
  RefundPaymentRequest,
  VoidPaymentRequest,
} from "../../proto/gen/corridor/payment/v1/payment_service";

interface Named {
  tenant: string;
  externalPaymentId: string;
}

const answerForm = 1;

/** The body of a capture; without an amount everything is captured. */
export const captureOf = (named: Named, { amount }: { amount?: number } = {}): CapturePaymentRequest => ({
  ...named,
  amount: amount === undefined ? undefined : decimalOf(amount),
  answerForm,
});

export const voidOf = (named: Named): VoidPaymentRequest => ({ ...named, answerForm });

interface RefundBody {
  externalRefundId?: string | undefined;
  amount?: number;
  reason?: string;
}

/** The body of a refund. */
export const refundOf = (
  named: Named,
  { externalRefundId = "", reason, ...body }: RefundBody,
): RefundPaymentRequest => ({
  ...captureOf(named, body),
  externalRefundId,
  reason,
});

/** The digits of a number as written. */
function decimalOf(value: number): Decimal {
  const [whole = "", fraction = ""] = String(value).split(".");
  return { unscaled: BigInt(whole + fraction), scale: fraction.length };
}

/** The answer to a command as callers of the REST API read it. */
export function textOfAction({ action }: Pick<CapturePaymentResponse, "action">): string {
  if (action?.externalRefundId !== undefined) return JSON.stringify(renderRefund(action));
  return JSON.stringify(action?.status === PaymentStatus.VOIDED ? renderVoid(action) : renderCapture(action));
}
