import { plusMs } from "../../shared/clock";
import type { TransactionState } from "../../shared/transaction-states";
import { carryOn, challengeLifeMs } from "./flow";
import { legId } from "./legs";
import {
  begin,
  type CardFacts,
  type Change,
  move,
  note,
  type Pull,
  setCompliance,
  update,
  updatePull,
} from "./payment";
import { charge, postCapture, postRefund } from "./postings";
import { runningRefund } from "./reversal";

export type PullStatus =
  | "AUTHORIZED"
  | "CHALLENGE"
  | "DECLINED"
  | "CAPTURED"
  | "SETTLED"
  | "RETURNED"
  | "VOIDED"
  | "REFUNDED"
  | "REFUSED";

/** What an acquirer or a debit scheme says. `REFUSED` is about the step only: the money is where it was. */
export interface PullReport {
  role: "pull";
  reference: string;
  status: PullStatus;
  reason: string | undefined;
  facts: PullFacts;
}

/** What a provider tells beside the outcome; it may tell less with every report. */
export type PullFacts = Partial<
  Pick<Pull, "providerId" | "authCode" | "responseCode" | "message" | "acsUrl" | "avs" | "cvc"> & { card: CardFacts }
>;

const untold = "no reason given";

export function applyPullReport(change: Change, report: PullReport, at: Date): Change {
  const { pull, type, compliance } = change.next;
  // A pull is sent only after the decision, so what is said of one before that is not about it.
  if (pull === undefined || (type === "PULL" && compliance === "Pending")) return change;
  const known = updatePull(change, report.facts);
  const reason = report.reason ?? untold;
  switch (report.status) {
    case "AUTHORIZED":
      return authorized(known, at) ?? change;
    case "CHALLENGE":
      return challenged(known, at) ?? change;
    case "DECLINED":
      return declined(known, reason, at) ?? change;
    case "CAPTURED":
      return captured(known, at) ?? change;
    case "SETTLED": {
      const collected = captured(known, at);
      return settled(collected ?? known, at) ?? collected ?? change;
    }
    case "RETURNED":
      return returned(captured(known, at) ?? known, reason, at) ?? change;
    case "VOIDED":
      return voided(known, at) ?? change;
    case "REFUNDED":
      return refunded(known, at) ?? change;
    case "REFUSED":
      return refusedStep(known, reason, at) ?? change;
  }
}

const beingAuthorised: readonly TransactionState[] = ["PaymentProcessing", "WaitingChallenge3ds"];

function authorize(change: Change, at: Date): Change | undefined {
  const { state, step, amount } = change.next;
  // A challenge that has run out of time is being given up: an authorisation that comes now is voided all the same.
  if (!beingAuthorised.includes(state) || step === "void") return undefined;
  const moved = move(
    updatePull(change, { authorizedAt: at, acsUrl: undefined }),
    "PaymentAuthorized",
    at,
    "authorised",
  );
  const leg = legId(moved.next, "pull");
  const noted = note(moved, { code: "PAYMENT", description: "payment authorised", paymentId: leg }, at);
  return charge(noted, "PRE_AUTH", amount.minor, at, leg);
}

function authorized(change: Change, at: Date): Change | undefined {
  const done = authorize(change, at);
  return done === undefined ? undefined : carryOn(done, at);
}

function challenged(change: Change, at: Date): Change | undefined {
  if (change.next.state !== "PaymentProcessing") return undefined;
  const waiting = carryOn(move(change, "WaitingChallenge3ds", at, "the payer must confirm"), at);
  return update(waiting, { deadlineAt: plusMs(at, challengeLifeMs) });
}

function declined(change: Change, reason: string, at: Date): Change | undefined {
  const { state, step, type } = change.next;
  if (beingAuthorised.includes(state) && step !== "void") {
    const ended = setCompliance(move(change, "PaymentDeclined", at, reason), "Cancelled", at, reason);
    const leg = legId(ended.next, "pull");
    return carryOn(note(ended, { code: "PAYMENT", description: "declined", paymentId: leg }, at), at);
  }
  if (step === "void" && state === "WaitingChallenge3ds") return voided(change, at);
  // The debit of a PULLPUSH is first sent when its payout has been prepared and approved.
  if (state === "ReviewApproved" && type === "PULLPUSH") return giveUp(change, reason, at);
  return undefined;
}

/** The money cannot be collected: the prepared payout is cancelled, and then what was authorised is voided. */
function giveUp(change: Change, reason: string, at: Date): Change {
  const asked = move(update(change, { status: "DECLINED" }), "CancelRequested", at, reason);
  return carryOn(update(asked, { automaticReversed: change.next.pull?.source.kind === "card" }), at);
}

function captured(change: Change, at: Date): Change | undefined {
  const { pull, type, step } = change.next;
  if (pull === undefined) return undefined;
  const isDebit = pull.source.kind !== "card";
  // A debit that the scheme has accepted is authorised and collected in one.
  const ready = isDebit && type === "PULL" ? (authorize(change, at) ?? change) : change;
  const { state } = ready.next;
  const isAsked = step === "capture" || isDebit;
  if (!isAsked || !(state === "PaymentAuthorized" || (state === "ReviewApproved" && type === "PULLPUSH")))
    return undefined;
  const minor = pull.captureMinor;
  const facts = { capturedMinor: minor, capturedAt: at, authorizedAt: ready.next.pull?.authorizedAt ?? at };
  const moved = move(updatePull(ready, facts), "PaymentCaptured", at, "collected from the payer");
  const leg = legId(moved.next, "pull");
  const noted = note(
    update(moved, { capturedAt: at }),
    { code: "CAPTURE", description: "collected from the payer", minor, paymentId: leg },
    at,
  );
  return carryOn(charge(postCapture(noted, minor, at), "CAPTURE", minor, at, leg), at);
}

function settled(change: Change, at: Date): Change | undefined {
  if (change.next.state !== "WaitingSettlement") return undefined;
  const moved = move(updatePull(change, { settledAt: at }), "PaymentSettled", at, "the debit settled");
  return carryOn(moved, at);
}

/** States of a PULLPUSH whose payout is on its way and cannot be stopped. */
const payingOut: readonly TransactionState[] = ["PaymentCaptured", "PaymentSettled", "WaitingPayout"];

/** The payer's bank took the money back. Nothing is called: it is gone already. */
function returned(change: Change, reason: string, at: Date): Change | undefined {
  const { pull, state, step, type } = change.next;
  if (pull === undefined || pull.returnedAt !== undefined) return undefined;
  if (state === "PaymentProcessing") return declined(change, reason, at);
  if (pull.capturedAt === undefined || step === "refund") return undefined;
  const isReleased = step === "release" || step === "cancel";
  const isHeld = type === "PULLPUSH" && state === "PaymentSettled" && !isReleased;
  const isLate = state === "WaitingSettlement" || state === "Completed" || isHeld;
  if (!isLate && !(type === "PULLPUSH" && payingOut.includes(state))) return undefined;
  const left = pull.capturedMinor - pull.refundedMinor;
  const facts = { returnedAt: at, refundedMinor: pull.capturedMinor };
  const gone = postRefund(updatePull(change, facts), "debit-return", left, at);
  // A payout that cannot be stopped goes on: a person must look, and the payment ends when the payout does.
  return isLate ? endReturned(gone, reason, at) : update(gone, { escalatedAt: change.next.escalatedAt ?? at });
}

function endReturned(change: Change, reason: string, at: Date): Change {
  const { pull } = change.next;
  const asked = update(change, { automaticReversed: true });
  const pending = move(asked, "PendingReversalApproval", at, reason);
  const ended = setCompliance(move(pending, "Refunded", at, reason), "Refunded", at, reason);
  const minor = pull?.capturedMinor ?? 0n;
  const leg = legId(ended.next, "pull");
  return carryOn(
    note(ended, { code: "REFUND", description: "returned by the payer's bank", minor, paymentId: leg }, at),
    at,
  );
}

const voidable: readonly TransactionState[] = [
  "PaymentAuthorized",
  "PayoutRejected",
  "ReviewRejected",
  "CancelRequested",
];

function voided(change: Change, at: Date): Change | undefined {
  const { state, step } = change.next;
  if (step !== "void") return undefined;
  if (state === "WaitingChallenge3ds") {
    const message = "the payer did not confirm in time";
    return carryOn(setCompliance(move(change, "Cancelled", at, message), "Cancelled", at, message), at);
  }
  if (!voidable.includes(state)) return undefined;
  const moved = move(updatePull(change, { voidedAt: at }), "Voided", at, "the authorisation was voided");
  const { compliance } = moved.next;
  const isOpen = compliance === "Pending" || compliance === "Approved";
  const closed = isOpen ? setCompliance(moved, "Cancelled", at, "the authorisation was voided") : moved;
  const leg = legId(closed.next, "pull");
  return carryOn(note(closed, { code: "PAYMENT", description: "authorisation voided", paymentId: leg }, at), at);
}

function refunded(change: Change, at: Date): Change | undefined {
  const { pull, refunds, step, state } = change.next;
  const running = runningRefund(refunds);
  if (step !== "refund" || pull === undefined || running === undefined) return undefined;
  const refundedMinor = pull.refundedMinor + running.minor;
  const done = refunds.map((refund) =>
    refund.id === running.id ? { ...refund, status: "REFUNDED" as const, settledAt: at } : refund,
  );
  const isFull = refundedMinor === pull.capturedMinor;
  const counted = update(updatePull(change, { refundedMinor }), { refunds: done });
  const posted = postRefund(counted, "refund", running.minor, at);
  const moved = isFull || state === "PendingReversalApproval" ? move(posted, "Refunded", at, "given back") : posted;
  const closed = moved === posted ? moved : setCompliance(moved, "Refunded", at, "given back");
  const entry = { code: "REFUND", description: running.reason ?? "given back", minor: running.minor } as const;
  const noted = note(closed, { ...entry, paymentId: running.id }, at);
  return carryOn(charge(noted, "REFUND", running.minor, at, running.id), at);
}

/** The provider will not do the step. What was is still so, unless nothing else is left to do. */
function refusedStep(change: Change, reason: string, at: Date): Change | undefined {
  const { step, state, refunds, type } = change.next;
  const running = runningRefund(refunds);
  if (step === "refund" && running !== undefined && state === "Completed") {
    const kept = refunds.map((refund) =>
      refund.id === running.id ? { ...refund, status: "DECLINED" as const, settledAt: at } : refund,
    );
    return carryOn(update(change, { refunds: kept, updatedAt: at }), at);
  }
  if (step === "capture" && type === "PULLPUSH" && state === "ReviewApproved") return giveUp(change, reason, at);
  if (step === "capture" && state === "PaymentAuthorized") {
    return begin(update(change, { automaticReversed: true }), "void", at);
  }
  // A refused void or reversal stays as it is: it is asked about again, and a person is told in time.
  return undefined;
}
