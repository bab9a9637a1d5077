import type { Clock } from "../../shared/kernel/clock";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { applyFact } from "../domain/apply-fact";
import { openCase } from "../domain/cases";
import type { Fact } from "../domain/fact";
import { hasNews } from "../domain/news";
import { type Change, type Payment, unchanged, update } from "../domain/payment";
import { deniesMovedMoney } from "../domain/undone-money";
import type { Outcome } from "../ports";
import type { Attempt } from "../store/fact-record";
import type { PaymentStore } from "../store/payment-store";

export interface SaveReportedDeps {
  payments: Pick<PaymentStore, "find" | "save">;
  clock: Clock;
}

/**
 * Applies what a provider has reported to the payment as it is stored now, so that no report is lost because another writer was faster.
 * `asked` is the payment as it was when the provider was asked. Returns the payment as stored afterwards, and whether the facts were
 * news; undefined when there is no such payment. Throws UNAVAILABLE while others keep changing it: then nothing is saved, and the
 * provider must be asked again.
 */
export function saveReported(
  { payments, clock }: SaveReportedDeps,
  asked: Pick<Payment, "id" | "version">,
  facts: readonly Fact[],
  attempts: readonly Attempt[] = [],
): Promise<{ payment: Payment; isNews: boolean } | undefined> {
  return retryOnConflict("payment", async () => {
    const payment = await payments.find(asked.id);
    if (payment === undefined) return undefined;
    const at = clock.now();
    const isOvertaken = payment.version !== asked.version;
    const apply = (change: Change, fact: Fact): Change =>
      isOvertaken && deniesMovedMoney(change.next, fact) ? overtaken(change, fact) : applyFact(change, fact, at);
    const change = facts.reduce(apply, unchanged(payment));
    if (!hasNews(payment, change)) return { payment, isNews: false };
    const result = await payments.save(payment, update(change, { updatedAt: at }), attempts);
    return result.kind === "saved" ? { payment: result.payment, isNews: true } : conflict;
  });
}

/**
 * Opens a case for a report that nothing moved, when others have saved meanwhile that money did. Only the provider knows whether all of
 * it has gone back since, or had not moved yet, so it has to be asked.
 */
const overtaken = (change: Change, fact: Fact): Change =>
  openCase(
    change,
    "CONTRADICTION",
    `${fact.provider} reported ${fact.kind} while another answer reported money: ask it which came last`,
    fact,
  );

/** Returns the facts of an outcome, whatever became of the step. */
export const factsOf = (outcome: Outcome): readonly Fact[] =>
  outcome.kind === "facts" || outcome.kind === "absent" ? (outcome.facts ?? []) : [];
