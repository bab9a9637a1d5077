import type { Transact } from "../../shared/storage/mongo";
import { hearProvider, type PaymentDecision, type ProviderVerdict } from "../domain/payment-decision";
import type { DecisionStore } from "../store/decision-store";
import type { ReviewStore } from "../store/review-store";

export interface HearVerdictDeps {
  transact: Transact;
  decisions: Pick<DecisionStore, "find" | "save">;
  reviews: Pick<ReviewStore, "find" | "save">;
  /** Tells the relay that events wait. */
  nudgeRelay(): void;
}

/** Lets the provider's word take effect, once. Returns where the decision stands; undefined for an unknown payment. */
export async function hearVerdict(
  { transact, decisions, reviews, nudgeRelay }: HearVerdictDeps,
  paymentId: string,
  verdict: ProviderVerdict,
  at: Date,
): Promise<PaymentDecision | undefined> {
  const standing = await transact(async (tx) => {
    const decision = await decisions.find(undefined, paymentId, tx);
    if (decision === undefined) return undefined;
    const review = decision.reviewId === undefined ? undefined : await reviews.find(decision.reviewId, tx);
    const heard = hearProvider({ decision, review }, verdict, at);
    if (heard === undefined) return decision;
    await decisions.save(heard.decision, tx);
    if (heard.review !== undefined) await reviews.save(heard.review, tx);
    return heard.decision;
  });
  nudgeRelay();
  return standing;
}
