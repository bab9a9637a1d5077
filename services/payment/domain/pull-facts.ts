import { plusMs } from "../../shared/kernel/clock";
import { type TransactionState, transactionMoves } from "../../shared/kernel/transaction-states";
import { collectedMinor, hasOpenCardAuthorisation, isAccepted, isInBalance, paidOutMinor } from "./balance";
import { isFrozen } from "./blocked-money";
import { openCase } from "./cases";
import { collect } from "./collect";
import { type Evidence, named, type PullFact, type PullFactKind, type Reason, type Refusal, reasonText } from "./fact";
import { advance, challengeLifeMs, isInstructed, reportLapse, waitForPerson } from "./flow";
import { legId } from "./legs";
import {
  because,
  begin,
  type Change,
  type CollectingPayment,
  collects,
  isIdle,
  move,
  note,
  setCompliance,
  update,
  updateExecution,
  updatePull,
} from "./payment";
import { charge } from "./postings";
import { beginReversal, hasRoomFor, isReversalApproved, runningRefund } from "./reversal";

/**
 * Decides what each fact about a collection means for the course of its payment. The money is posted before; undefined means that the
 * fact does not apply in this state, and nothing was decided.
 */
export function reactToPull(change: Change, fact: PullFact, at: Date): Change | undefined {
  if (!collects(change)) return undefined;
  const { type, compliance } = change.next;
  // A pull is sent only after the decision, so a report that comes earlier is not about it.
  if (type === "PULL" && compliance === "Pending") return undefined;
  return reactions[fact.kind](change, fact, at);
}

type Collecting = Change<CollectingPayment>;

type Reaction = (change: Collecting, fact: PullFact, at: Date) => Change | undefined;

/** Sets the reason. A card's issuer that declines without one gets the card scheme's code for that. */
const dueTo = (change: Collecting, reason: Reason | undefined): Collecting => {
  const isCard = change.next.pull.source.kind === "card";
  return because(change, named(reason, isCard ? "05" : "MS03").code, "pull");
};

const beingAuthorised: readonly TransactionState[] = ["PaymentProcessing", "WaitingChallenge3ds"];

function authorize(change: Collecting, at: Date): Collecting | undefined {
  const { state, amount } = change.next;
  const { step } = change.next.execution;
  // A payment whose challenge has expired is being given up: an authorisation that comes now is voided all the same.
  if (!beingAuthorised.includes(state) || step === "void") return undefined;
  const facts = updatePull(change, { authorizedAt: at, acsUrl: undefined });
  const moved = move(facts, "PaymentAuthorized", at, "authorised");
  const leg = legId(moved.next, "pull");
  const noted = note(moved, { code: "PAYMENT", description: "payment authorised", paymentId: leg }, at);
  return charge(noted, "PRE_AUTH", amount.minor, at, leg);
}

function authorized(change: Collecting, at: Date): Collecting | undefined {
  const done = authorize(change, at);
  if (done !== undefined) return advance(done, at);
  const { state, pull } = change.next;
  const { step } = change.next.execution;
  const isRefused = ended.includes(state) && step === undefined;
  if (!isRefused || pull.source.kind !== "card") return undefined;
  // The payment is over, but its payer's money is held: the authorisation is voided.
  const late = updatePull(change, { authorizedAt: pull.authorizedAt ?? at, voidedAt: undefined });
  return hasOpenCardAuthorisation(late.next) ? begin(late, "void", at) : undefined;
}

/** States in which nothing is collected any more. */
const ended: readonly TransactionState[] = ["PaymentDeclined", "Cancelled", "Voided", "Error"];

function challenged(change: Collecting, at: Date): Collecting | undefined {
  if (change.next.state !== "PaymentProcessing") return undefined;
  const waiting = advance(move(change, "WaitingChallenge3ds", at, "the payer must confirm"), at);
  return updateExecution(waiting, { deadlineAt: plusMs(at, challengeLifeMs) });
}

function declined(change: Collecting, reason: Reason | undefined, at: Date): Collecting | undefined {
  const { state, type } = change.next;
  const { step } = change.next.execution;
  const text = reasonText(reason);
  if (beingAuthorised.includes(state) && step !== "void") {
    const over = setCompliance(move(dueTo(change, reason), "PaymentDeclined", at, text), "Cancelled", at, text);
    const leg = legId(over.next, "pull");
    return advance(note(over, { code: "PAYMENT", description: "declined", paymentId: leg }, at), at);
  }
  // A decline after all means that nothing is held.
  if (step === "void") return voided(change, at);
  // The debit of a PULLPUSH is first sent when its payout has been prepared and approved.
  if (state === "ReviewApproved" && type === "PULLPUSH") return giveUp(change, reason, at);
  return undefined;
}

/** Gives up a payment whose money cannot be collected: the prepared payout is cancelled, and then the authorisation is voided. */
function giveUp(change: Collecting, reason: Reason | undefined, at: Date): Collecting {
  const failed = dueTo(update(change, { status: "DECLINED" }), reason);
  const asked = move(failed, "CancelRequested", at, reasonText(reason));
  const leg = legId(asked.next, "pull");
  const noted = note(asked, { code: "CAPTURE", description: "not collected", paymentId: leg }, at);
  return advance(update(noted, { automaticReversed: change.next.pull.source.kind === "card" }), at);
}

/** Applies a collection, whether or not it was wanted at that moment. If the payment was being given up, a reversal corrects it. */
function captured(change: Collecting, fact: PullFact, at: Date): Collecting | undefined {
  const { pull, type, capturedAt } = change.next;
  const { step } = change.next.execution;
  const minor = fact.amount?.minor;
  if (minor === undefined || capturedAt !== undefined) return undefined;
  const seen = updatePull(change, { capturedAt: pull.capturedAt ?? at, authorizedAt: pull.authorizedAt ?? at });
  const allowed = authorize(step === "void" ? giveUpNoMore(seen) : seen, at);
  const ready = allowed ?? seen;
  const { state } = ready.next;
  if (state === "PaymentAuthorized" && type === "PULL") return advance(collect(ready, minor, at), at);
  if (state === "ReviewApproved" && type === "PULLPUSH") return advance(collect(ready, minor, at), at);
  if (allowed !== undefined) return advance(allowed, at);
  if (ended.includes(state) && step === "void") return reverseLate(seen, fact, at);
  // The collection came early: the flow finds the money collected when it gets there, or gives it back.
  if (type === "PULLPUSH" && beforeCapture.includes(state)) {
    return step === "void" ? advance(withoutCall(seen), at) : seen;
  }
  if (!givingUp.includes(state) || step !== "void") return undefined;
  return advance(giveUpNoMore(seen), at);
}

/**
 * Reverses a late authorisation that was collected before it could be voided: the payment has ended, and its money goes back like any
 * reversal. A person decides when the reversal is not approved, or when the recipient has the money.
 */
function reverseLate(change: Collecting, fact: PullFact, at: Date): Collecting {
  const { next } = change;
  const free = withoutCall(change);
  const isApproved = isReversalApproved(next) && hasRoomFor("platform", next.refunds) && paidOutMinor(next) === 0n;
  if (isApproved) return beginReversal(free, at);
  return advance(
    openCase(free, "UNEXPECTED_FACT", `${fact.provider} has collected for a payment that is over`, fact),
    at,
  );
}

/** Reverses a payment that was collected while it was being given up. */
const giveUpNoMore = (change: Collecting): Collecting => update(withoutCall(change), { automaticReversed: true });

const withoutCall = (change: Collecting): Collecting => updateExecution(change, { step: undefined });

const beforeCapture: readonly TransactionState[] = [
  "PaymentAuthorized",
  "ProcessingPayout",
  "PayoutHold",
  "PayoutReleased",
  "PayoutAccepted",
  "ManualReview",
  "BlockedPendingReview",
];
const givingUp: readonly TransactionState[] = ["PayoutRejected", "ReviewRejected", "CancelRequested"];

function settled(change: Collecting, fact: PullFact, at: Date): Collecting | undefined {
  const known = captured(change, fact, at);
  const ready = known ?? change;
  if (ready.next.state !== "WaitingSettlement") return known;
  return advance(move(updatePull(ready, { settledAt: at }), "PaymentSettled", at, "the debit settled"), at);
}

/** States of a PULLPUSH whose payout is under way and cannot be stopped. */
const payingOut: readonly TransactionState[] = ["PaymentCaptured", "PaymentSettled", "WaitingPayout"];

/** Applies a return by the payer's bank. No provider is called: the money is already gone. */
function returned(change: Collecting, fact: PullFact, at: Date): Collecting | undefined {
  // A blocked payment stays where it is: a person finds out who bears the loss.
  if (isFrozen(change.next)) return undefined;
  // The reversal waits until its payout is cancelled, and then finds that nothing is left to give back.
  if (change.next.state === "PendingReversalApproval" && change.next.execution.step === "cancel") return change;
  if (change.next.state === "PaymentProcessing") return declined(change, fact.reason, at);
  const { pull, type, state } = change.next;
  const { step } = change.next.execution;
  if (pull.refundedMinor !== pull.capturedMinor || step === "refund") return undefined;
  const isReleased = step === "release" || step === "cancel";
  const isHeld = type === "PULLPUSH" && (state === "PaymentSettled" || state === "PaymentCaptured") && !isReleased;
  if (state === "WaitingSettlement" || state === "Completed" || isHeld) {
    return step === undefined || isHeld ? endReturned(change, fact.reason, at) : undefined;
  }
  if (type !== "PULLPUSH" || !payingOut.includes(state)) return undefined;
  // A payout that cannot be stopped goes on: a person must look at the payment, which ends when the payout does.
  const told = openCase(change, "UNEXPECTED_FACT", "the payer's bank took the money back while it is being paid out");
  return updateExecution(told, { escalatedAt: change.next.execution.escalatedAt ?? at });
}

/**
 * Ends the wait for a debit that was returned in part and so will never settle, on an operator's word: the rest, which is still ours by
 * our books, is no longer waited for. Undefined where nothing has come back.
 */
export function endUnsettled(change: Change, reason: Reason, at: Date): Change | undefined {
  if (!collects(change)) return undefined;
  const { state, execution, pull } = change.next;
  if (state !== "WaitingSettlement" || execution.step !== undefined || pull.refundedMinor <= 0n) return undefined;
  return endReturned(updatePull(change, { returnedAt: at }), reason, at);
}

function endReturned(change: Collecting, reason: Reason | undefined, at: Date): Collecting {
  const text = reasonText(reason);
  const asked = dueTo(giveUpNoMore(change), reason);
  const pending = move(asked, "PendingReversalApproval", at, text);
  if (isInstructed(pending.next)) return advance(pending, at);
  const back = move(pending, "Refunded", at, text);
  const over = setCompliance(back, "Refunded", at, text);
  const minor = change.next.pull.refundedMinor;
  const entry = { code: "REFUND", description: "returned by the payer's bank", minor } as const;
  return advance(note(over, { ...entry, paymentId: legId(over.next, "pull") }, at), at);
}

const voidable: readonly TransactionState[] = [
  "PaymentAuthorized",
  "PayoutRejected",
  "ReviewRejected",
  "CancelRequested",
];

function voided(change: Collecting, at: Date): Collecting | undefined {
  const { state, cause } = change.next;
  const { step } = change.next.execution;
  if (isFrozen(change.next)) return reportLapse(updatePull(change, { voidedAt: at }), at);
  // A payment that nothing else has ended was given up by its caller.
  const done = updatePull(cause === undefined ? because(change, "CUST", "pull") : change, { voidedAt: at });
  if (step !== "void") return undefined;
  if (state === "WaitingChallenge3ds") {
    const message = "the payer did not confirm in time";
    const over = setCompliance(move(done, "Cancelled", at, message), "Cancelled", at, message);
    const leg = legId(over.next, "pull");
    return advance(note(over, { code: "PAYMENT", description: message, paymentId: leg }, at), at);
  }
  if (ended.includes(state)) return advance(done, at);
  if (!voidable.includes(state)) return undefined;
  const moved = move(done, "Voided", at, "the authorisation was voided");
  const { compliance } = moved.next;
  const isOpen = compliance === "Pending" || compliance === "Approved";
  const closed = isOpen ? setCompliance(moved, "Cancelled", at, "the authorisation was voided") : moved;
  const leg = legId(closed.next, "pull");
  return advance(note(closed, { code: "PAYMENT", description: "authorisation voided", paymentId: leg }, at), at);
}

function refunded(change: Collecting, fact: PullFact, at: Date): Collecting | undefined {
  const { pull, refunds, state } = change.next;
  const { step } = change.next.execution;
  const running = runningRefund(refunds);
  const minor = fact.amount?.minor;
  if (step !== "refund" || running === undefined || minor === undefined) return undefined;
  if (fact.stepReference !== running.id) return undefined;
  const done = refunds.map((refund) =>
    refund.id === running.id ? { ...refund, minor, status: "REFUNDED" as const, settledAt: at } : refund,
  );
  const counted = update(change, { refunds: done });
  const isGone = pull.refundedMinor >= pull.capturedMinor;
  // A payment that ended in another way keeps its state, and only the money is corrected. A payout that is prepared is cancelled first.
  const goal = isInstructed(change.next) ? "PendingReversalApproval" : "Refunded";
  const isFull = isGone && transactionMoves[state].includes(goal);
  const cause = change.next.cause ?? onRequest;
  const moved = isFull ? move(update(counted, { cause }), goal, at, "given back") : counted;
  const closed = isFull && goal === "Refunded" ? setCompliance(moved, "Refunded", at, "given back") : moved;
  const noted = note(
    closed,
    { code: "REFUND", description: running.reason ?? "given back", minor, paymentId: running.id, cause },
    at,
  );
  const charged = charge(noted, "REFUND", minor, at, running.id);
  // A reversal that gave back less than all is not done; a person decides about the rest.
  return !isGone && state === "PendingReversalApproval" ? waitForPerson(charged, at) : advance(charged, at);
}

const onRequest = { code: "MD06", leg: "pull" } as const;

const reactions: Readonly<Record<PullFactKind, Reaction>> = {
  AUTHORIZED: (change, _fact, at) => authorized(change, at),
  CHALLENGED: (change, _fact, at) => challenged(change, at),
  DECLINED: (change, { reason }, at) => declined(change, reason, at),
  CAPTURED: captured,
  SETTLED: settled,
  VOIDED: (change, _fact, at) => voided(change, at),
  REFUNDED: refunded,
  RETURNED: returned,
  // A dispute is for a person to decide: the money is gone, and only a person can know whether to contest it.
  CHARGED_BACK: () => undefined,
};

/**
 * Checks a payment after its provider refused to give money back: an idle payment holds what its status says, or an operator is notified.
 */
function balanced(change: Change, code: string, evidence: Evidence | undefined): Change {
  const { next } = change;
  if (!isIdle(next) || isInBalance(next) || isAccepted(next) || next.openCase !== undefined) return change;
  const text = `the provider refuses to give the money back: ${code}`;
  return openCase(change, "REVERSAL_REFUSED", text, { role: "pull", evidence });
}

/** Applies a provider's definite refusal of the step. Everything else stays as it was, unless nothing else is left to do. */
export function refusePull(change: Change, { reason, code, evidence }: Refusal, at: Date): Change | undefined {
  if (!collects(change)) return undefined;
  const { state, refunds, type } = change.next;
  const { step } = change.next.execution;
  const why: Reason = { code: reason.code, text: reason.text ?? code };
  switch (step) {
    case "authorize":
      return declined(change, why, at);
    case "capture":
      if (type === "PULLPUSH" && state === "ReviewApproved") return giveUp(change, why, at);
      if (state === "PaymentProcessing") return declined(change, why, at);
      if (state !== "PaymentAuthorized") return undefined;
      return begin(dueTo(update(change, { automaticReversed: true }), why), "void", at);
    case "refund": {
      const running = runningRefund(refunds);
      const cause = { code: reason.code, leg: "pull" } as const;
      const kept = refunds.map((refund) =>
        refund.id === running?.id ? { ...refund, status: "DECLINED" as const, settledAt: at, cause } : refund,
      );
      const entry = { code: "REFUND", description: "refused by the provider", minor: running?.minor ?? 0n } as const;
      const row = {
        ...entry,
        cause,
        ...(running === undefined ? {} : { paymentId: running.id }),
      };
      const noted = note(update(change, { refunds: kept, updatedAt: at }), row, at);
      if (state !== "PendingReversalApproval" || collectedMinor(noted.next) <= 0n) {
        return balanced(advance(noted, at), code, evidence);
      }
      const told = openCase(noted, "REVERSAL_REFUSED", `the provider refuses to give the money back: ${code}`, {
        role: "pull",
        evidence,
      });
      return waitForPerson(told, at);
    }
    default:
      // A refused void is asked about again: the payment was captured, or the authorisation is open, and the provider says which.
      return undefined;
  }
}
