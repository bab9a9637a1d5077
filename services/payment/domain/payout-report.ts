import type { TransactionState } from "../../shared/transaction-states";
import { carryOn } from "./flow";
import { legId } from "./legs";
import { type Change, move, note, type Payment, setCompliance, setPayout, update, updatePayout } from "./payment";
import { charge, postPayout, postPayoutReturn } from "./postings";

export type RailStatus = "PREPARED" | "HELD" | "REFUSED" | "RELEASED" | "PAID" | "REJECTED" | "RETURNED" | "CANCELLED";

/** What a rail says about one instruction. */
export interface PayoutReport {
  role: "payout";
  reference: string;
  status: RailStatus;
  railId: string | undefined;
  receipt: string | undefined;
  reason: string | undefined;
}

const untold = "no reason given";

export function applyPayoutReport(change: Change, report: PayoutReport, at: Date): Change {
  if (change.next.payout === undefined) return change;
  const known = withFacts(change, report);
  const reason = report.reason ?? untold;
  switch (report.status) {
    case "PREPARED":
      return prepared(known, at) ?? change;
    case "HELD":
      return held(known, reason, at) ?? change;
    case "REFUSED":
      return refused(known, reason, at) ?? change;
    case "RELEASED":
      return released(known, at) ?? change;
    case "PAID":
      return paid(released(known, at) ?? known, at) ?? change;
    case "REJECTED":
      return rejected(released(known, at) ?? known, reason, at) ?? change;
    case "RETURNED":
      return returned(known, reason, at) ?? change;
    case "CANCELLED":
      return cancelled(known, reason, at) ?? change;
  }
}

function withFacts(change: Change, { railId, receipt }: PayoutReport): Change {
  const { payout } = change.next;
  const isNews = (railId ?? payout?.railId) !== payout?.railId || (receipt ?? payout?.receipt) !== payout?.receipt;
  if (!isNews) return change;
  return updatePayout(change, { railId: railId ?? payout?.railId, receipt: receipt ?? payout?.receipt });
}

function prepared(change: Change, at: Date): Change | undefined {
  const { state } = change.next;
  if (state === "ProcessingPayout") {
    const accepted = move(change, "PayoutAccepted", at, "the rail accepted the instruction");
    return carryOn(setPayout(accepted, "AUTHORIZED", at, "the rail accepted the instruction"), at);
  }
  if (state !== "PayoutHold") return undefined;
  const freed = setPayout(change, "AUTHORIZED", at, "the rail released its hold");
  return carryOn(move(freed, "PayoutReleased", at, "the rail released its hold"), at);
}

function held(change: Change, reason: string, at: Date): Change | undefined {
  if (change.next.state !== "ProcessingPayout") return undefined;
  return carryOn(setPayout(move(change, "PayoutHold", at, reason), "PENDING", at, reason), at);
}

/** The rail takes the instruction not: nothing was sent. */
function refused(change: Change, reason: string, at: Date): Change | undefined {
  const { state, step } = change.next;
  if (rejectable.includes(state)) return reject(change, reason, at);
  if (!releasable.includes(state) || step !== "release") return undefined;
  return reject(move(change, "WaitingPayout", at, "released to the rail"), reason, at);
}

/** States in which the rail may say that the recipient gets nothing. */
const rejectable: readonly TransactionState[] = ["ProcessingPayout", "PayoutHold", "WaitingPayout"];
const releasable: readonly TransactionState[] = ["ReviewApproved", "PaymentCaptured", "PaymentSettled"];

/** The rail holds a released instruction; it may say so before the answer to our own call has arrived. */
function released(change: Change, at: Date): Change | undefined {
  const { state, step } = change.next;
  const isSent = step === "release" || (step === "cancel" && state !== "CancelRequested");
  if (!releasable.includes(state) || !isSent) return undefined;
  const waiting = move(change, "WaitingPayout", at, "released to the rail");
  return carryOn(setPayout(waiting, "PENDING", at, "released to the rail"), at);
}

function paid(change: Change, at: Date): Change | undefined {
  const { state, payout, type } = change.next;
  if (state !== "WaitingPayout" || payout === undefined) return undefined;
  const moved = move(change, "Paid", at, "the recipient was paid");
  const told = setPayout(moved, "CAPTURED", at, "the recipient was paid");
  const posted = postPayout(update(told, { capturedAt: change.next.capturedAt ?? at }), at);
  if (type === "PULLPUSH") return carryOn(posted, at);
  const charged = charge(posted, "CAPTURE", posted.next.amount.minor, at);
  return carryOn(note(charged, { code: "CAPTURE", description: "paid to the recipient" }, at), at);
}

/** Refused after release: the rail says for certain that the recipient gets nothing. */
function rejected(change: Change, reason: string, at: Date): Change | undefined {
  return rejectable.includes(change.next.state) ? reject(change, reason, at) : undefined;
}

function reject(change: Change, reason: string, at: Date): Change {
  const refusedPayout = setPayout(move(change, "PayoutRejected", at, reason), "DECLINED", at, reason);
  const { compliance, type } = refusedPayout.next;
  const closed = compliance === "Pending" ? setCompliance(refusedPayout, "Cancelled", at, reason) : refusedPayout;
  const entry = { code: "PAYMENT", description: "refused by the rail", paymentId: legId(closed.next, "push") } as const;
  const noted = note(closed, entry, at);
  return carryOn(type === "PULLPUSH" ? update(noted, { automaticReversed: true }) : noted, at);
}

/** The recipient's bank gave the money back, perhaps long after the payment was complete. */
function returned(change: Change, reason: string, at: Date): Change | undefined {
  const waiting = released(change, at) ?? change;
  const done = paid(waiting, at) ?? waiting;
  const { state, payoutStatus, type, step } = done.next;
  if (state !== "Completed" || payoutStatus === "REFUNDED" || step !== undefined) return undefined;
  const back = postPayoutReturn(setPayout(done, "REFUNDED", at, reason), at);
  if (type === "PULLPUSH") {
    const asked = update(back, { automaticReversed: true });
    return carryOn(move(asked, "PendingReversalApproval", at, reason), at);
  }
  const ended = setCompliance(move(back, "Refunded", at, reason), "Refunded", at, reason);
  return carryOn(note(ended, { code: "REFUND", description: "returned by the recipient's bank" }, at), at);
}

/** The rail will never pay the instruction: it gave it up by itself, or acknowledged our cancel by reference. */
function cancelled(change: Change, reason: string, at: Date): Change | undefined {
  const { state, step } = change.next;
  if (rejectable.includes(state)) return reject(change, reason, at);
  if (state === "CancelRequested" || state === "ReviewRejected") {
    return carryOn(closeCompliance(setPayout(change, "VOIDED", at, "the rail gave the instruction up"), at), at);
  }
  if (!releasable.includes(state) || (step !== "release" && step !== "cancel")) return undefined;
  return neverReleased(change, at);
}

/** We sent a release, and the rail has acknowledged that it never will execute it. */
function neverReleased(change: Change, at: Date): Change {
  const message = "the rail never executed the payout and never will";
  const waiting = move(change, "WaitingPayout", at, "released to the rail, which did not answer");
  if (isCollected(waiting.next)) {
    const asked = move(setPayout(waiting, "VOIDED", at, message), "CancelRequested", at, message);
    return carryOn(update(asked, { automaticReversed: true }), at);
  }
  const failed = setPayout(move(waiting, "Error", at, message), "ERROR", at, message);
  return carryOn(setCompliance(failed, "Cancelled", at, message), at);
}

const isCollected = ({ pull }: Payment): boolean => pull?.capturedAt !== undefined;

function closeCompliance(change: Change, at: Date): Change {
  const { compliance } = change.next;
  const isOpen = compliance === "Pending" || compliance === "Approved";
  return isOpen ? setCompliance(change, "Cancelled", at, "nothing will be paid") : change;
}
