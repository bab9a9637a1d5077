import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { applyFact } from "../domain/apply-fact";
import type { Fact } from "../domain/fact";
import { hasNews } from "../domain/news";
import { type Payment, unchanged } from "../domain/payment";
import type { Outcome } from "../ports";
import type { Attempt } from "../store/fact-record";
import type { PaymentStore } from "../store/payment-store";

export interface SaveToldDeps {
  payments: Pick<PaymentStore, "find" | "save">;
  clock: Clock;
}

/** Rivals for one payment are few, and each try sees what the last winner saved. */
const maxTries = 8;

/**
 * Applies what a provider has told to the payment as others have left it, so that nothing told is dropped because somebody
 * was faster. Returns the payment as it is stored then, and whether the facts were news; undefined when there is no such
 * payment. Throws UNAVAILABLE while others keep changing it: then nothing is saved, and the provider must be asked again.
 */
export async function saveTold(
  { payments, clock }: SaveToldDeps,
  id: string,
  facts: readonly Fact[],
  attempts: readonly Attempt[] = [],
): Promise<{ payment: Payment; isNews: boolean } | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const payment = await payments.find(id);
    if (payment === undefined) return undefined;
    const at = clock.now();
    const change = facts.reduce((so, fact) => applyFact(so, fact, at), unchanged(payment));
    if (!hasNews(payment, change)) return { payment, isNews: false };
    const next = { ...change.next, updatedAt: at };
    if ((await payments.save(payment, { ...change, next }, attempts)) !== "saved") continue;
    return { payment: { ...next, version: payment.version + 1 }, isNews: true };
  }
  throw new DomainError("UNAVAILABLE", "the payment is being changed by others");
}

/** The facts of an outcome, whatever became of the step. */
export const factsOf = (outcome: Outcome): readonly Fact[] =>
  outcome.kind === "facts" || outcome.kind === "absent" ? (outcome.facts ?? []) : [];
