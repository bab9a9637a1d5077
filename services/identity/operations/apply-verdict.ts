import type { Transact } from "../../shared/storage/mongo";
import { applyProviderVerdict, type PaymentDecision, type ProviderVerdict } from "../domain/payment-decision";
import type { DecisionStore } from "../store/decision-store";
import type { ReviewStore } from "../store/review-store";

export interface ApplyVerdictDeps {
  transact: Transact;
  decisions: Pick<DecisionStore, "find" | "save">;
  reviews: Pick<ReviewStore, "find" | "save">;
  /** Notifies the relay that events wait. */
  nudgeRelay(): void;
}

/** Applies the provider's verdict, once. Returns the resulting decision; undefined for an unknown payment. */
export async function applyVerdict(
  { transact, decisions, reviews, nudgeRelay }: ApplyVerdictDeps,
  paymentId: string,
  verdict: ProviderVerdict,
  at: Date,
): Promise<PaymentDecision | undefined> {
  const standing = await transact(async (tx) => {
    const decision = await decisions.find(undefined, paymentId, tx);
    if (decision === undefined) return undefined;
    const review = decision.reviewId === undefined ? undefined : await reviews.find(decision.reviewId, tx);
    const applied = applyProviderVerdict({ decision, review }, verdict, at);
    if (applied === undefined) return decision;
    await decisions.save(applied.decision, tx);
    if (applied.review !== undefined) await reviews.save(applied.review, tx);
    return applied.decision;
  });
  nudgeRelay();
  return standing;
}
