import type { TransactionState } from "../../shared/transaction-states";
import { carryOn } from "./flow";
import { type Change, move, setCompliance } from "./payment";
import { applyPayoutReport, type PayoutReport } from "./payout-report";
import { applyPullReport, type PullReport } from "./pull-report";

/** What screening says of a payment. */
export interface ScreeningReport {
  role: "screening";
  reference: string;
  status: "APPROVED" | "REVIEW" | "REJECTED";
  reason: string | undefined;
}

/** What a provider says about one call: the same words in an answer, in the reply to a question and in a callback. */
export type Report = PullReport | PayoutReport | ScreeningReport;

/** Decides what a provider's report means for a payment. A report that is late or repeated changes nothing. */
export function applyReport(change: Change, report: Report, at: Date): Change {
  switch (report.role) {
    case "pull":
      return applyPullReport(change, report, at);
    case "payout":
      return applyPayoutReport(change, report, at);
    case "screening":
      return applyScreening(change, report, at);
  }
}

const judged: readonly TransactionState[] = ["PayoutAccepted", "ManualReview"];

function applyScreening(change: Change, { status, reason }: ScreeningReport, at: Date): Change {
  const { state, payout } = change.next;
  if (payout === undefined || !judged.includes(state)) return change;
  switch (status) {
    case "APPROVED": {
      const approved = move(change, "ReviewApproved", at, reason ?? "approved by screening");
      return carryOn(setCompliance(approved, "Approved", at, reason ?? "approved by screening"), at);
    }
    case "REVIEW":
      if (state === "ManualReview") return change;
      return carryOn(move(change, "ManualReview", at, reason ?? "a person reviews it"), at);
    case "REJECTED": {
      const to = state === "ManualReview" ? "ReviewRejected" : "BlockedPendingReview";
      const refused = move(change, to, at, reason ?? "refused by screening");
      return carryOn(setCompliance(refused, "Rejected", at, reason ?? "refused by screening"), at);
    }
  }
}
