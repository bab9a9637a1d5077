import type { Clock } from "../../shared/kernel/clock";
import { applyFact } from "../domain/apply-fact";
import { hasNews } from "../domain/news";
import { type Payment, unchanged } from "../domain/payment";
import { roleOf, type Step } from "../domain/steps";
import type { Outcome, Provider, Providers } from "../ports";
import type { PaymentStore } from "../store/payment-store";

export interface AskProviderDeps {
  payments: Pick<PaymentStore, "find" | "save">;
  providers: Providers;
  clock: Clock;
  /** Carries a payment on that the answer has moved. */
  ask(payment: Payment): Promise<void>;
}

/**
 * Asks a provider for all that it knows of a payment, also of one that rests, and takes the facts. Sends nothing. False when the
 * provider showed nothing, or said that it does not know the payment.
 */
export type AskProvider = (payment: Payment, provider: string) => Promise<boolean>;

const maxTries = 5;

/** The question whose answer shows everything, for each role. */
const widest = { pull: "refund", payout: "release" } as const satisfies Record<string, Step>;

export const makeAskProvider =
  (deps: AskProviderDeps): AskProvider =>
  async (asked, name) => {
    const provider = deps.providers.get(name);
    if (provider === undefined || provider.manifest.role === "screening") return true;
    // What is under way may be answered by the same question, so the flow itself asks.
    if (asked.step !== undefined && roleOf[asked.step] === provider.manifest.role) {
      await deps.ask(asked);
      return true;
    }
    const outcome = await question(provider, asked);
    const facts = factsOf(outcome);
    for (let tries = 0; tries < maxTries && facts.length > 0; tries += 1) {
      const payment = tries === 0 ? asked : await deps.payments.find(asked.id);
      if (payment === undefined) return true;
      const at = deps.clock.now();
      const change = facts.reduce((so, fact) => applyFact(so, fact, at), unchanged(payment));
      if (!hasNews(payment, change)) return true;
      const next = { ...change.next, updatedAt: at };
      if ((await deps.payments.save(payment, { ...change, next })) !== "saved") continue;
      if (next.step !== undefined) await deps.ask({ ...next, version: payment.version + 1 });
      return true;
    }
    return facts.length === 0 && outcome.kind === "refused";
  };

const question = (provider: Provider, payment: Payment): Promise<Outcome> =>
  provider.ask(payment, provider.manifest.role === "pull" ? widest.pull : widest.payout);

const factsOf = (outcome: Outcome) =>
  outcome.kind === "facts" || outcome.kind === "absent" ? (outcome.facts ?? []) : [];
