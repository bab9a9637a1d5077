import { DomainError, invalid } from "../../shared/kernel/errors";
import { derivedUuid } from "../../shared/kernel/ids";
import { type Money, money, requireDigits } from "../../shared/kernel/money";
import { collectedMinor, hasOpenCardAuthorisation, paidOutMinor } from "./balance";
import { isFrozen } from "./blocked-money";
import type { PayoutFact, PullFact } from "./fact";
import { isInstructed } from "./flow";
import { begin, type Change, collects, isFinal, type Payment, update, updatePull } from "./payment";
import { reactToPayout } from "./payout-facts";
import { reactToPull } from "./pull-facts";
import { hasRoomFor, maxRefunds } from "./reversal";
import type { Step } from "./steps";

/**
 * Begins a step that an operator may begin. A step is begun only where its result would end it: elsewhere the payment would ask about
 * that step forever, and no longer about what it is really waiting for.
 */
export function beginVoid(change: Change, at: Date): Change {
  const { next } = change;
  requireFree(next, hasOpenCardAuthorisation(next), "there is no open authorisation to void");
  return requireEnd(begin(change, "void", at), { ...pullFact(next), kind: "VOIDED" }, at);
}

/**
 * Begins a cancel. A payout that its rail holds is stopped by rejecting the hold instead: the rail may release it at any moment, and it
 * would be paid.
 */
export function beginCancel(change: Change, at: Date): Change {
  const { next } = change;
  const isOpen = next.payout !== undefined && paidOutMinor(next) === 0n && !isFinal(next.state);
  requireFree(next, isOpen && next.state !== "PayoutHold", "there is no payout that could be taken back");
  const { payout, id } = next;
  const cancelled: PayoutFact = { role: "payout", kind: "CANCELLED", provider: payout?.rail ?? "", reference: id };
  return requireEnd(begin(change, "cancel", at), cancelled, at);
}

/** Begins a release. An operator cannot release a payout that waits for its second screening, or was refused by it. */
export function beginRelease(change: Change, at: Date): Change {
  const { state, type, cause } = change.next;
  const { dueAt } = change.next.execution;
  const isWaiting = type === "PULLPUSH" && (state === "PaymentCaptured" || state === "PaymentSettled");
  const isJudged = dueAt === undefined && cause?.code !== "RR04" && isInstructed(change.next);
  requireFree(change.next, isWaiting && isJudged, "no payout waits for its collection");
  return begin(collects(change) ? updatePull(change, { releaseAnyway: true }) : change, "release", at);
}

export function beginRefund(change: Change, commandId: string, asked: Money | undefined, at: Date): Change {
  const { id, amount, refunds, state } = change.next;
  const left = collectedMinor(change.next);
  requireFree(change.next, left > 0n, "nothing is left that could be given back");
  requireFree(
    change.next,
    state !== "WaitingSettlement",
    "the debit has not settled, and may still come back by itself",
  );
  if (!hasRoomFor("platform", refunds)) {
    throw new DomainError("STATE_CONFLICT", `a payment allows at most ${maxRefunds} refunds begun by operators`, {
      details: { status: change.next.status, allowed: [], mostRefunds: maxRefunds },
    });
  }
  const minor = asked?.minor ?? left;
  requireDigits(asked?.currency ?? amount.currency);
  if (minor <= 0n || minor > left || (asked !== undefined && asked.currency !== amount.currency)) {
    throw invalid([{ field: "beginStep.amount", message: "must be more than 0 and at most what was collected" }]);
  }
  const isCovered = minor < left || !isInstructed(change.next);
  requireFree(change.next, isCovered, "the payout is still open: once it is taken back, the money goes back by itself");
  const refund = {
    id: derivedUuid("case-refund", id, commandId),
    externalId: undefined,
    minor,
    askedMinor: undefined,
    reason: "begun by an operator",
    status: "PENDING" as const,
    requestedAt: at,
    settledAt: undefined,
  };
  const begun = begin(update(change, { refunds: [...refunds, refund], automaticReversed: true }), "refund", at);
  const refunded = { ...pullFact(change.next), kind: "REFUNDED", stepReference: refund.id } as const;
  return requireEnd(begun, { ...refunded, amount: money(minor, amount.currency) }, at);
}

const pullFact = ({ pull, id }: Payment) => ({ role: "pull", provider: pull?.provider ?? "", reference: id }) as const;

/** Returns the begun step if the payment, in its present state, acts on the step's result. Throws STATE_CONFLICT otherwise. */
function requireEnd(begun: Change, fact: PullFact | PayoutFact, at: Date): Change {
  const ended = fact.role === "pull" ? reactToPull(begun, fact, at) : reactToPayout(begun, fact, at);
  const { status, state } = begun.next;
  const { step } = begun.next.execution;
  if (ended !== undefined) return begun;
  throw conflict(status, `nothing would end a ${step} while the payment is in ${state}`);
}

/**
 * Throws STATE_CONFLICT unless the command is allowed now. A call that is under way must end first, and so must a review that has stopped
 * the payment: its money is frozen.
 */
function requireFree(payment: Payment, isAllowed: boolean, message: string): void {
  const { status, state } = payment;
  const { step, dueAt } = payment.execution;
  // In this state, a payment that waits for a decision about its money has no due time; one whose review is open has one.
  const isReviewed = state === "PaymentSettled" && dueAt !== undefined;
  const isStopped = state === "BlockedPendingReview" || isReviewed || isFrozen(payment);
  if (isAllowed && step === undefined && !isStopped) return;
  const open = step === undefined ? message : underWay(step);
  const why = isStopped ? "compliance has stopped the payment, so that its review decides about its money" : open;
  throw conflict(status, why);
}

const underWay = (step: Step): string => `the call ${step} is under way`;

const conflict = (status: Payment["status"], message: string): DomainError =>
  new DomainError("STATE_CONFLICT", message, { details: { status, allowed: [] } });
