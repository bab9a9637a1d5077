import type { Payment } from "../domain/payment";
import { roleOf, type Step } from "../domain/steps";
import type { Outcome, Provider, Providers } from "../ports";
import { factsOf, type SaveReportedDeps, saveReported } from "./save-reported";

export interface AskProviderDeps extends SaveReportedDeps {
  providers: Providers;
  /** Carries on a payment that the answer has moved, or that waits for it. */
  ask(payment: Payment): Promise<void>;
}

/**
 * Asks a provider for everything that it knows of a payment, including one at rest, and applies the facts. Sends no instruction. Returns
 * true when this very question was answered and what it showed is saved; it is asked even while others work on the payment, since their
 * questions may have begun before the news. Returns false when the provider showed nothing. Throws UNAVAILABLE when the facts could not
 * be saved.
 */
export type AskProvider = (payment: Payment, provider: string) => Promise<boolean>;

/** The question whose answer shows everything, for each role. */
const widest = { pull: "refund", payout: "release" } as const satisfies Record<string, Step>;

export const makeAskProvider =
  (deps: AskProviderDeps): AskProvider =>
  async (asked, name) => {
    const provider = deps.providers.get(name);
    if (provider === undefined || provider.manifest.role === "screening") return true;
    const outcome = await question(provider, asked);
    const facts = factsOf(outcome);
    if (facts.length === 0 && outcome.kind !== "refused") return false;
    const told = await saveReported(deps, asked, facts);
    const step = told?.payment.execution.step;
    if (told !== undefined && step !== undefined && (told.isNews || roleOf[step] === provider.manifest.role)) {
      await deps.ask(told.payment);
    }
    return true;
  };

const question = (provider: Provider, payment: Payment): Promise<Outcome> =>
  provider.ask(payment, provider.manifest.role === "pull" ? widest.pull : widest.payout);
