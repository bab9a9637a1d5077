import type { TransactionState } from "../../shared/kernel/transaction-states";
import { paidOutMinor } from "./balance";
import { openCase } from "./cases";
import { named, type PayoutFact, type PayoutFactKind, type Reason, type Refusal, reasonText } from "./fact";
import { advance, isInstructed, mayRelease, waitForPerson } from "./flow";
import { legId } from "./legs";
import {
  asAsked,
  because,
  type Change,
  move,
  note,
  type PayingPayment,
  type Payment,
  paysOut,
  setCompliance,
  setPayout,
  update,
} from "./payment";
import { charge } from "./postings";

/**
 * Decides what each fact about a payout means for the course of its payment. The money is posted before; undefined means that the fact
 * does not apply in this state, and nothing was decided.
 */
export function reactToPayout(change: Change, fact: PayoutFact, at: Date): Change | undefined {
  if (!paysOut(change)) return undefined;
  return reactions[fact.kind](change, fact, at);
}

type Paying = Change<PayingPayment>;

type Reaction = (change: Paying, fact: PayoutFact, at: Date) => Change | undefined;

const reactions: Readonly<Record<PayoutFactKind, Reaction>> = {
  PREPARED: (change, _fact, at) => prepared(change, at),
  HELD: (change, { reason }, at) => held(change, reason, at),
  RELEASED: (change, _fact, at) => released(change, at),
  PAID: (change, _fact, at) => paid(released(change, at) ?? change, at),
  REJECTED: (change, { reason }, at) => rejected(change, reason, at),
  RETURNED: (change, { reason }, at) => returned(change, reason, at),
  CANCELLED: (change, { reason }, at) => cancelled(change, reason, at),
  REFERENCE_TAKEN: stopAtConflict,
};

/**
 * Stops a payment whose rail has another instruction under the payment's reference. The payment does not advance, whatever is reported,
 * until a person has found out whose instruction it is and taken it back.
 */
function stopAtConflict(change: Paying, fact: PayoutFact, at: Date): Paying {
  const text = `${fact.provider} has another instruction under the reference of this payment`;
  return waitForPerson(openCase(change, "CONTRADICTION", text, fact), at);
}

/** True while the payout is being sent to its rail for the first time. */
const isPreparing = ({ state, execution: { step } }: Payment): boolean =>
  state === "ProcessingPayout" && step === "prepare";

function prepared(change: Paying, at: Date): Paying | undefined {
  const { state } = change.next;
  if (isPreparing(change.next)) {
    const accepted = move(change, "PayoutAccepted", at, "the rail accepted the instruction");
    return advance(setPayout(accepted, "AUTHORIZED", at, "the rail accepted the instruction"), at);
  }
  if (state !== "PayoutHold") return undefined;
  const freed = setPayout(asAsked(change), "AUTHORIZED", at, "the rail released its hold");
  return advance(move(freed, "PayoutReleased", at, "the rail released its hold"), at);
}

function held(change: Paying, reason: Reason | undefined, at: Date): Paying | undefined {
  if (!isPreparing(change.next)) return undefined;
  const text = reasonText(reason);
  const stopped = move(dueTo(change, reason), "PayoutHold", at, text);
  return advance(setPayout(stopped, "PENDING", at, text), at);
}

const dueTo = (change: Paying, reason: Reason | undefined): Paying => because(change, named(reason).code, "payout");

/** States in which the rail may report that the recipient gets nothing. */
const rejectable: readonly TransactionState[] = ["ProcessingPayout", "PayoutHold", "WaitingPayout"];
/** States in which the flow instructs the rail to pay. */
export const releasable: readonly TransactionState[] = ["ReviewApproved", "PaymentCaptured", "PaymentSettled"];

/** Applies the rail's refusal of the instruction: nothing was sent, and a payout that was to be cancelled needs no cancel any more. */
export function refusePayout(change: Change, { reason, code }: Refusal, at: Date): Change | undefined {
  if (!paysOut(change)) return undefined;
  const why: Reason = { code: reason.code, text: reason.text ?? code };
  const { state } = change.next;
  const { step } = change.next.execution;
  if (rejectable.includes(state)) return reject(change, why, at);
  if (isTakingBack(change.next)) return cancelled(change, why, at);
  if (!releasable.includes(state) || (step !== "release" && step !== "cancel")) return undefined;
  return reject(move(change, "WaitingPayout", at, "released to the rail"), why, at);
}

/** Applies the rail's report that it holds a released instruction; it may report this before the answer to our own call has arrived. */
function released(change: Paying, at: Date): Paying | undefined {
  const { state } = change.next;
  const { step } = change.next.execution;
  const isSent = step === "release" || (step === "cancel" && state !== "CancelRequested");
  if (!releasable.includes(state) || !isSent) return undefined;
  const waiting = move(change, "WaitingPayout", at, "released to the rail");
  return advance(setPayout(waiting, "PENDING", at, "released to the rail"), at);
}

function paid(change: Paying, at: Date): Paying | undefined {
  const { state, type } = change.next;
  const { step } = change.next.execution;
  // A payout without any collected money is left to a person, even though the recipient has the money.
  const isTaken = state === "WaitingPayout" || (state === "CancelRequested" && type === "PUSH");
  if (!isTaken) return step === "cancel" && isTakingBack(change.next) ? paidAllTheSame(change, at) : undefined;
  const waiting =
    state === "WaitingPayout" ? change : move(change, "WaitingPayout", at, "the rail paid although it was to cancel");
  const moved = move(asAsked(waiting), "Paid", at, "the recipient was paid");
  const told = setPayout(moved, "CAPTURED", at, "the recipient was paid");
  const done = update(told, { capturedAt: change.next.capturedAt ?? at });
  const paymentId = legId(done.next, "push");
  const noted = note(done, { code: "CAPTURE", description: "paid to the recipient", paymentId }, at);
  if (type === "PULLPUSH") return advance(noted, at);
  return advance(charge(noted, "CAPTURE", done.next.amount.minor, at), at);
}

/** States in which a payout is cancelled because nothing is to be paid. */
const takingBack: readonly TransactionState[] = ["CancelRequested", "ReviewRejected"];
/** True while a payout is cancelled, which includes the time before collected money goes back. */
const isTakingBack = (payment: Payment): boolean =>
  takingBack.includes(payment.state) ||
  (payment.state === "PendingReversalApproval" && payment.execution.step === "cancel" && isInstructed(payment));

/** Handles a payout that was paid although it was to be cancelled: no call can change that any more, so a person decides. */
function paidAllTheSame(change: Paying, at: Date): Paying {
  const text = "the recipient was paid although the payout was to be taken back";
  const told = openCase(setPayout(change, "CAPTURED", at, text), "UNEXPECTED_FACT", text);
  return advance(told, at);
}

/** Applies the rail's definite report that the recipient gets nothing: before it paid, or after it had reported that it did. */
function rejected(change: Paying, reason: Reason | undefined, at: Date): Paying | undefined {
  const { payout } = change.next;
  if (payout.paidMinor > 0n) return returned(change, reason, at);
  const known = released(change, at) ?? change;
  if (rejectable.includes(known.next.state)) return reject(known, reason, at);
  return isTakingBack(change.next) ? cancelled(change, reason, at) : undefined;
}

function reject(change: Paying, reason: Reason | undefined, at: Date): Paying {
  const text = reasonText(reason);
  const refusedPayout = setPayout(move(dueTo(change, reason), "PayoutRejected", at, text), "DECLINED", at, text);
  const { compliance, type } = refusedPayout.next;
  const closed = compliance === "Pending" ? setCompliance(refusedPayout, "Cancelled", at, text) : refusedPayout;
  const paymentId = legId(closed.next, "push");
  const noted = note(closed, { code: "PAYMENT", description: "refused by the rail", paymentId }, at);
  return advance(type === "PULLPUSH" ? update(noted, { automaticReversed: true }) : noted, at);
}

/** Applies a return by the recipient's bank, perhaps long after the payment was complete. */
function returned(change: Paying, reason: Reason | undefined, at: Date): Paying | undefined {
  const ready = released(change, at) ?? change;
  const done = paid(ready, at) ?? ready;
  const { state, payoutStatus, type } = done.next;
  const { step } = done.next.execution;
  const isOpen = takingBack.includes(state) || (state === "PendingReversalApproval" && step === undefined);
  if (isOpen && payoutStatus === "CAPTURED" && paidOutMinor(done.next) === 0n) {
    return advance(setPayout(done, "REFUNDED", at, reasonText(reason)), at);
  }
  if (state !== "Completed" || payoutStatus === "REFUNDED" || step !== undefined) return undefined;
  if (paidOutMinor(done.next) !== 0n) return undefined;
  const text = reasonText(reason);
  const back = setPayout(dueTo(done, reason), "REFUNDED", at, text);
  const entry = { code: "REFUND", description: "returned by the recipient's bank" } as const;
  if (type === "PULLPUSH") {
    const noted = note(back, { ...entry, paymentId: legId(back.next, "push") }, at);
    return advance(move(update(noted, { automaticReversed: true }), "PendingReversalApproval", at, text), at);
  }
  const over = setCompliance(move(back, "Refunded", at, text), "Refunded", at, text);
  return advance(note(over, entry, at), at);
}

/**
 * Applies the rail's report that it will never pay the instruction: it gave the instruction up by itself, or acknowledged our cancel by
 * reference.
 */
function cancelled(change: Paying, reason: Reason | undefined, at: Date): Paying | undefined {
  const { state } = change.next;
  const { step } = change.next.execution;
  // A payout that was paid and has come back in full counts as never paid.
  if (paidOutMinor(change.next) > 0n) return undefined;
  if (rejectable.includes(state)) return reject(change, reason, at);
  if (isTakingBack(change.next)) {
    const given = setPayout(change, "VOIDED", at, "the rail gave the instruction up");
    return advance(takingBack.includes(state) ? closeCompliance(given, at) : given, at);
  }
  if (!releasable.includes(state) || (step !== "release" && step !== "cancel")) return undefined;
  return neverReleased(change, at);
}

/**
 * Applies the rail's acknowledgement that it will never execute a release that was recorded: the rail did not answer the release, or it
 * was never sent.
 */
function neverReleased(change: Paying, at: Date): Paying {
  const isGone = !mayRelease(change.next);
  const message = isGone ? "what was collected has gone back" : "the rail never executed the payout and never will";
  const { facts } = change.next;
  const taken = facts.findLast(({ role, kind }) => role === "pull" && (kind === "RETURNED" || kind === "CHARGED_BACK"));
  const stopped = isGone ? because(change, named(taken?.reason).code, "pull") : because(change, "AB06", "payout");
  const waiting = move(stopped, "WaitingPayout", at, "released to the rail, which has not executed it");
  const paymentId = legId(waiting.next, "push");
  if (isCollected(waiting.next)) {
    const asked = move(setPayout(waiting, "VOIDED", at, message), "CancelRequested", at, message);
    const noted = note(asked, { code: "PAYMENT", description: message, paymentId }, at);
    return advance(update(noted, { automaticReversed: true }), at);
  }
  const failed = setPayout(move(waiting, "Error", at, message), "ERROR", at, message);
  const noted = note(failed, { code: "PAYMENT", description: message, paymentId }, at);
  return advance(setCompliance(noted, "Cancelled", at, message), at);
}

const isCollected = ({ pull }: Payment): boolean => pull?.capturedAt !== undefined;

function closeCompliance(change: Paying, at: Date): Paying {
  const { compliance } = change.next;
  const isOpen = compliance === "Pending" || compliance === "Approved";
  return isOpen ? setCompliance(change, "Cancelled", at, "nothing will be paid") : change;
}
