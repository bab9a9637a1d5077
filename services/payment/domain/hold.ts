import type { Payment } from "./payment";
import { awaited } from "./steps";

/**
 * For what a payment waits that a person should know of: a review of its compliance, the approval of a reversal, the hold of
 * its rail, or a provider that has been silent for too long.
 */
export type HoldKind = "REVIEW" | "REVERSAL" | "RAIL" | "PROVIDER";

/** Undefined for a payment that waits for no answer. */
export function holdOf({ state, execution: { step, escalatedAt } }: Payment): HoldKind | undefined {
  if (step === undefined && state === "PendingReversalApproval") return "REVERSAL";
  if (step === undefined && awaited[state] === "screen") return "REVIEW";
  if (state === "PayoutHold") return "RAIL";
  return escalatedAt === undefined ? undefined : "PROVIDER";
}
