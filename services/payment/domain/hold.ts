import type { Payment } from "./payment";
import { awaited } from "./steps";

/**
 * What a payment waits for that a person should know of: a compliance review, the approval of a reversal, a hold by its rail, or a
 * provider that has been silent for too long.
 */
export type HoldKind = "REVIEW" | "REVERSAL" | "RAIL" | "PROVIDER";

/** Returns undefined for a payment that does not wait for any of these. */
export function holdOf({ state, execution: { step, escalatedAt } }: Payment): HoldKind | undefined {
  if (step === undefined && state === "PendingReversalApproval") return "REVERSAL";
  if (step === undefined && awaited[state] === "screen") return "REVIEW";
  if (state === "PayoutHold") return "RAIL";
  return escalatedAt === undefined ? undefined : "PROVIDER";
}
