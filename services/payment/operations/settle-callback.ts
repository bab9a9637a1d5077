import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import { applyFact } from "../domain/apply-fact";
import { openCase } from "../domain/cases";
import { type Fact, movesMoney } from "../domain/fact";
import { hasNews } from "../domain/news";
import { type Payment, unchanged, update } from "../domain/payment";
import type { Provider, ProviderCallback, Providers } from "../ports";
import type { CaseStore } from "../store/case-store";
import type { PaymentStore } from "../store/payment-store";

export interface SettleCallbackDeps {
  payments: Pick<PaymentStore, "find" | "save">;
  cases: Pick<CaseStore, "keepFact">;
  providers: Providers;
  clock: Clock;
  /** Carries on a payment that a callback has moved. */
  ask(payment: Payment): Promise<void>;
  /** Asks a provider for everything that it knows of a payment; false when it shows nothing. */
  inquire(payment: Payment, provider: string): Promise<boolean>;
  nudgeRelay(): void;
}

export type SettleCallback = (callback: { provider: string; signature: string; body: Buffer }) => Promise<void>;

/**
 * Takes a provider's callback: everything that it reports about money is stored before it is acknowledged, whatever the payment's state.
 * Money that belongs to no payment of this provider waits in suspense under a case. Throws UNAUTHENTICATED for a wrong signature. Throws
 * UNAVAILABLE, so that the provider sends the callback again, while others keep changing the payment, or while the provider does not show
 * what a bare report is about; a report that is an hour old by then, or dated an hour ahead, is kept in a case, and a person asks.
 */
export const makeSettleCallback =
  (deps: SettleCallbackDeps): SettleCallback =>
  async ({ provider: name, signature, body }) => {
    const provider = deps.providers.get(name);
    if (provider === undefined) throw new DomainError("ROUTE_NOT_FOUND", "no such provider");
    const callback = provider.readCallback(signature, body);
    const { reference, facts } = callback;
    return retryOnConflict("payment", async () => {
      const payment = await deps.payments.find(reference);
      const at = deps.clock.now();
      if (payment === undefined || !isConcerned(payment, name)) return keepFor(deps, callback.strayFacts ?? facts, at);
      if (facts.length === 0) {
        // The report is acknowledged only when the provider shows something: otherwise its content would be lost.
        if (await deps.inquire(payment, name)) return;
        if (isOld(callback, at)) return keepUnexplained(deps, provider, callback);
        throw new DomainError("UNAVAILABLE", "the provider's look-up does not yet confirm its callback");
      }
      const told = facts.reduce((so, fact) => applyFact(so, fact, at), unchanged(payment));
      if (!hasNews(payment, told)) return;
      const result = await deps.payments.save(payment, update(told, { updatedAt: at }));
      if (result.kind !== "saved") return conflict;
      if (result.payment.execution.step !== undefined) void deps.ask(result.payment);
    });
  };

/** How long a provider may be unavailable, or may show its news later than it reports it. */
const explainedWithinMs = 3_600_000;

/**
 * True for an old report. A clock that is far ahead of ours would never make a report old, so a report dated far ahead counts as old at
 * once, and a person finds out.
 */
const isOld = (callback: ProviderCallback, now: Date): boolean =>
  callback.at !== undefined && Math.abs(now.getTime() - callback.at.getTime()) > explainedWithinMs;

/** Keeps a report that its provider does not show when asked, in the case of its payment. */
function keepUnexplained(
  { payments, clock }: SettleCallbackDeps,
  { manifest: { name, role } }: Provider,
  { reference, evidence }: ProviderCallback,
): Promise<void> {
  return retryOnConflict("payment", async () => {
    const payment = await payments.find(reference);
    if (payment === undefined || role === "screening") return;
    const text = `${name} reports what it does not show when it is asked`;
    const change = openCase(unchanged(payment), "UNEXPECTED_FACT", text, { role, evidence });
    const result = await payments.save(payment, update(change, { updatedAt: clock.now() }));
    return result.kind === "saved" ? undefined : conflict;
  });
}

const isConcerned = ({ pull, payout }: Payment, name: string): boolean =>
  pull?.provider === name || payout?.rail === name;

async function keepFor({ cases, nudgeRelay }: SettleCallbackDeps, facts: readonly Fact[], at: Date): Promise<void> {
  for (const fact of facts.filter(movesMoney)) await cases.keepFact(fact, at);
  nudgeRelay();
}
