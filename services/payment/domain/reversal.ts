import { collectedMinor } from "./balance";
import { reversalIdOf } from "./legs";
import { begin, type Change, type Payment, type Refund, update } from "./payment";

/** Returns the refund that is under way; there is at most one. */
export const runningRefund = (refunds: readonly Refund[]): Refund | undefined =>
  refunds.find(({ status }) => status === "PENDING");

/** The most refunds of one payment by its caller, and again by the platform and operators; each is kept with the payment permanently. */
export const maxRefunds = 100;

/**
 * True while one more refund may be begun. Callers' refunds are counted apart from those of the platform and operators, so that however
 * many callers make, errors can still be corrected; nor can operators make a payment grow without bound.
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

/** Begins the platform's own reversal of everything that was collected and not yet given back. */
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
