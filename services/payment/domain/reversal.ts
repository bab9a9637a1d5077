import { collectedMinor } from "./balance";
import { reversalIdOf } from "./legs";
import { begin, type Change, type Payment, type Refund, update } from "./payment";

/** The refund that is under way; there is at most one. */
export const runningRefund = (refunds: readonly Refund[]): Refund | undefined =>
  refunds.find(({ status }) => status === "PENDING");

/** Refunds of one payment by its caller, and as many by the platform and operators; each is kept with it permanently. */
export const maxRefunds = 100;

/**
 * True while one more may be begun. Callers are counted apart, so that however many of theirs there are, what is wrong can still be
 * put right; people cannot fill a payment either.
 */
export function hasRoomFor(whose: "caller" | "platform", refunds: readonly Refund[]): boolean {
  const isCallers = whose === "caller";
  return refunds.filter(({ externalId }) => (externalId !== undefined) === isCallers).length < maxRefunds;
}

/** True when the tenant's terms approve the reversal without a person. */
export function isReversalApproved(payment: Payment): boolean {
  const limit = payment.terms.reversalLimitMinor;
  return limit === undefined || collectedMinor(payment) <= limit;
}

/** The platform's own reversal: everything that was collected and not yet given back. */
export function beginReversal<P extends Payment>(change: Change<P>, at: Date): Change<P> {
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
