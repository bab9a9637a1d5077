import { plusMs } from "../../shared/clock";
import type { TransactionState } from "../../shared/transaction-states";
import { begin, type Change, isFinal, move, note, type Payment, setCompliance, setPayout } from "./payment";

export type RailStatus = "PREPARED" | "RELEASED" | "PAID" | "REJECTED" | "REFUSED" | "CANCELLED";

/** What a rail says about one instruction: the same words in an answer, in the reply to a question and in a callback. */
export interface RailReport {
  reference: string;
  status: RailStatus;
  railId: string | undefined;
  reason: string | undefined;
}

const pollAfterMs = [1_000, 2_000, 5_000, 15_000, 60_000] as const;

/** When to ask about an unanswered step again: soon at first, then once a minute, for as long as it takes. */
function retryAt(tries: number, at: Date): Date {
  return plusMs(at, pollAfterMs[Math.min(tries, pollAfterMs.length - 1)] ?? 60_000);
}

/** Decides what a rail's report means for a payment. A report that is late or repeated changes nothing. */
export function applyReport(change: Change, report: RailReport, at: Date): Change {
  const { state } = change.next;
  const known = withRailId(change, report.railId);
  switch (report.status) {
    case "PREPARED":
      return state === "ProcessingPayout" ? approve(accept(known, at), at) : change;
    case "RELEASED":
      return released(known, at);
    case "PAID":
      return pay(released(known, at), at);
    case "REJECTED":
      return reject(released(known, at), at, report.reason);
    case "REFUSED":
    case "CANCELLED":
      return withdraw(known, at, report.reason);
  }
}

function withRailId(change: Change, railId: string | undefined): Change {
  return railId === undefined ? change : { ...change, next: { ...change.next, railId } };
}

function accept(change: Change, at: Date): Change {
  const accepted = move(change, "PayoutAccepted", at, "the rail accepted the instruction");
  return setPayout(accepted, "AUTHORIZED", at, "the rail accepted the instruction");
}

/** Screening and review: every push is approved by policy until identity screening takes part. */
function approve(change: Change, at: Date): Change {
  const approved = move(change, "ReviewApproved", at, "approved by policy");
  return begin(setCompliance(approved, "Approved", at, "approved by policy"), "release", at);
}

/** The rail holds a released instruction; it may say so before the answer to our own call has arrived. */
function released(change: Change, at: Date): Change {
  const { state, step } = change.next;
  if (state !== "ReviewApproved" || step !== "release") return change;
  const waiting = move(change, "WaitingPayout", at, "released to the rail");
  const sent = setPayout(waiting, "PENDING", at, "released to the rail");
  return { ...sent, next: { ...sent.next, step: undefined, tries: 0, dueAt: retryAt(0, at) } };
}

function pay(change: Change, at: Date): Change {
  if (change.next.state !== "WaitingPayout") return change;
  const paid = setPayout(move(change, "Paid", at, "the recipient was paid"), "CAPTURED", at, "the recipient was paid");
  const captured = note({ ...paid, next: { ...paid.next, capturedAt: at } }, "CAPTURE", at, "paid to the recipient");
  return finish(captured, "Completed", at, "payment complete");
}

function reject(change: Change, at: Date, reason = "no reason given"): Change {
  const { state } = change.next;
  if (state !== "ProcessingPayout" && state !== "WaitingPayout") return change;
  const rejected = setPayout(move(change, "PayoutRejected", at, reason), "DECLINED", at, reason);
  const closed = rejected.next.compliance === "Pending" ? setCompliance(rejected, "Cancelled", at, reason) : rejected;
  return finish(note(closed, "PAYMENT", at, "refused by the rail"), "Cancelled", at, "nothing was paid");
}

/** The rail holds nothing for us any more: it never took the instruction, or gave it up before it was paid. */
function withdraw(change: Change, at: Date, reason = "no reason given"): Change {
  if (change.next.state !== "ReviewApproved") return reject(change, at, reason);
  const requested = setPayout(move(change, "CancelRequested", at, reason), "DECLINED", at, reason);
  return finish(setCompliance(requested, "Cancelled", at, reason), "Cancelled", at, "nothing was paid");
}

function finish(change: Change, to: TransactionState, at: Date, message: string): Change {
  const final = move(change, to, at, message);
  return { ...final, next: { ...final.next, step: undefined, dueAt: undefined } };
}

/** The rail did not answer, or knows nothing of the instruction: look again later, and ask before sending. */
export function postpone(payment: Payment, at: Date): Payment {
  if (isFinal(payment.state)) return payment;
  return { ...payment, tries: payment.tries + 1, dueAt: retryAt(payment.tries, at), updatedAt: at };
}
