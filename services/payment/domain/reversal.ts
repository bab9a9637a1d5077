import { collectedMinor } from "./balance";
import { reversalIdOf } from "./legs";
import { begin, type Change, type Payment, type Refund, update } from "./payment";

/** The refund that is under way; there is at most one. */
export const runningRefund = (refunds: readonly Refund[]): Refund | undefined =>
  refunds.find(({ status }) => status === "PENDING");

/** True when the tenant's terms approve the reversal without a person. */
export function isReversalApproved(payment: Payment): boolean {
  const limit = payment.terms.reversalLimitMinor;
  return limit === undefined || collectedMinor(payment) <= limit;
}

/** The platform's own reversal: everything that was collected and not yet given back. */
export function beginReversal(change: Change, at: Date): Change {
  const { id, refunds } = change.next;
  const reversal: Refund = {
    id: reversalIdOf(id, refunds.filter(({ externalId }) => externalId === undefined).length),
    externalId: undefined,
    minor: collectedMinor(change.next),
    askedMinor: undefined,
    reason: "automatic reversal",
    status: "PENDING",
    requestedAt: at,
    settledAt: undefined,
  };
  return begin(update(change, { refunds: [...refunds, reversal], automaticReversed: true }), "refund", at);
}
