import type { TransactionState } from "../../shared/transaction-states";
import type { Payment, PayoutStatus } from "./payment";

/** Whether a rail may still draw a payout from our account there, by the state of its transaction. A new state must say. */
const mayDrawIn: Readonly<Record<TransactionState, boolean>> = {
  Created: true,
  PaymentProcessing: true,
  WaitingChallenge3ds: true,
  PaymentAuthorized: true,
  PaymentDeclined: false,
  PaymentCaptured: true,
  WaitingSettlement: true,
  PaymentSettled: true,
  ProcessingPayout: true,
  PayoutAccepted: true,
  PayoutHold: true,
  PayoutReleased: true,
  PayoutRejected: false,
  ManualReview: true,
  ReviewApproved: true,
  ReviewRejected: true,
  // The rail has confirmed the release, and its own figure says so from then on.
  WaitingPayout: false,
  Paid: false,
  Completed: false,
  Cancelled: false,
  // A cancel or a reversal that is refused goes back to where the payout was.
  CancelRequested: true,
  PendingReversalApproval: true,
  BlockedPendingReview: true,
  Refunded: false,
  Voided: false,
  Error: false,
};

/** The same by the status of the payout leg; a leg without one has not begun. */
const mayDrawAt: Readonly<Record<PayoutStatus, boolean>> = {
  AUTHORIZED: true,
  PENDING: true,
  CAPTURED: false,
  DECLINED: false,
  VOIDED: false,
  REFUNDED: false,
  ERROR: false,
};

/** The account at a rail that a payment still has a promise of; undefined once nothing can be drawn for it any more. */
export function promisedAt({ payout, payoutStatus, state }: Payment): string | undefined {
  if (payout === undefined || payout.amount.minor === 0n) return undefined;
  const mayDraw = mayDrawIn[state] && (payoutStatus === undefined || mayDrawAt[payoutStatus]);
  return mayDraw ? fundAccountId(payout.rail, payout.amount.currency) : undefined;
}

/** Id of our account at a provider in one currency. */
export const fundAccountId = (provider: string, currency: string): string => `${provider}:${currency}`;
