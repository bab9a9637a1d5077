import type { TransactionState } from "../../shared/kernel/transaction-states";
import { freeze, isFrozen, surrender, thaw } from "./blocked-money";
import { advance, goAfterSettlement, waitForReview } from "./flow";
import { because, type Change, move, note, type Payment, setCompliance, update } from "./payment";
import { awaited } from "./steps";

/**
 * The state of the compliance decision about a payment: `REVIEW` while the screening provider examines it, `BLOCKED` when a list contains
 * one of the parties and a person must decide.
 */
export interface ScreeningReport {
  status: "APPROVED" | "REVIEW" | "BLOCKED" | "REJECTED";
  reason: string | undefined;
  /** The case by which a person has blocked the payment. */
  blockedCase?: string | undefined;
  /** Ledger account to which an authority's order sends the money of a blocked payment, which is refused. */
  payTo?: string | undefined;
}

const refusedByScreening = "refused by screening";
const regulatory = (change: Change): Change => because(change, "RR04", "payout");

/** States in which a payment that pays out waits for the decision. */
const judged: readonly TransactionState[] = ["PayoutAccepted", "BlockedPendingReview", "ManualReview"];

/** Applies a compliance decision to a payment. A late or repeated decision changes nothing. */
export function applyScreening(change: Change, report: ScreeningReport, at: Date): Change {
  const { status, blockedCase } = report;
  const isDecided = status === "APPROVED" || status === "REJECTED";
  // A blocked payment ignores everything but the decision that ends the block.
  if (isFrozen(change.next) && !isDecided && blockedCase === undefined) return change;
  const ordered = report.payTo === undefined ? change : surrender(change, report.payTo, at);
  const next = goOn(isDecided ? thaw(ordered) : ordered, report, at);
  return blockedCase === undefined || !waitsForDecision(next.next) ? next : freeze(next, blockedCase, at);
}

const waitsForDecision = ({ state, execution: { step } }: Payment): boolean => (step ?? awaited[state]) === "screen";

function goOn(change: Change, report: ScreeningReport, at: Date): Change {
  const { state, type, payout } = change.next;
  if (payout === undefined) return screenPull(change, report, at);
  if (state === "PaymentSettled" && type === "PULLPUSH") return screenOnceMore(change, report, at);
  return judged.includes(state) ? screenPayout(change, report, at) : change;
}

function screenPayout(change: Change, { status, reason }: ScreeningReport, at: Date): Change {
  const { state } = change.next;
  switch (status) {
    case "APPROVED": {
      const taken =
        state === "BlockedPendingReview" ? move(change, "ManualReview", at, "a person reviewed it") : change;
      const approved = move(taken, "ReviewApproved", at, reason ?? "approved by screening");
      return advance(setCompliance(approved, "Approved", at, reason ?? "approved by screening"), at);
    }
    case "REVIEW":
      if (state === "ManualReview") return change;
      return advance(move(change, "ManualReview", at, reason ?? "a person reviews it"), at);
    case "BLOCKED":
      if (state !== "PayoutAccepted") return change;
      return advance(move(change, "BlockedPendingReview", at, reason ?? "a list names a party"), at);
    case "REJECTED": {
      const why = reason ?? refusedByScreening;
      const asked = regulatory(change);
      const stopped = state === "PayoutAccepted" ? move(asked, "BlockedPendingReview", at, why) : asked;
      const refused = setCompliance(move(stopped, "ReviewRejected", at, why), "Rejected", at, why);
      return advance(note(refused, { code: "PAYMENT", description: refusedByScreening }, at), at);
    }
  }
}

/**
 * Applies the decision to a pull, which is not sent to its provider before; there is no state of its own for a pull that waits for a
 * person.
 */
function screenPull(change: Change, { status, reason }: ScreeningReport, at: Date): Change {
  const { state, compliance } = change.next;
  const { step } = change.next.execution;
  const isAsked = step === undefined || step === "screen";
  if (state !== "PaymentProcessing" || !isAsked || compliance !== "Pending") return change;
  if (status === "APPROVED") {
    return advance(setCompliance(change, "Approved", at, reason ?? "approved by screening"), at);
  }
  if (status !== "REJECTED") return step === undefined ? change : waitForReview(change, at);
  const why = reason ?? refusedByScreening;
  const declined = setCompliance(move(regulatory(change), "PaymentDeclined", at, why), "Rejected", at, why);
  return advance(note(declined, { code: "PAYMENT", description: refusedByScreening }, at), at);
}

/** Applies the second decision about a payout whose debit has settled: it was approved days ago, and nothing has been paid yet. */
function screenOnceMore(change: Change, { status, reason }: ScreeningReport, at: Date): Change {
  const { step } = change.next.execution;
  if (step !== undefined && step !== "screen") return change;
  if (status === "APPROVED") return goAfterSettlement(change, at);
  if (status !== "REJECTED") return step === undefined ? change : waitForReview(change, at);
  const asked = update(regulatory(change), { automaticReversed: true });
  const stopped = move(asked, "PendingReversalApproval", at, reason ?? refusedByScreening);
  return advance(note(stopped, { code: "PAYMENT", description: refusedByScreening }, at), at);
}
