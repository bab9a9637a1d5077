import type { Clock } from "../../shared/kernel/clock";
import type { Money } from "../../shared/kernel/money";
import type { ValueIn } from "../adapters/fx/valuation";
import { type BoundQuote, payoutAmount } from "../domain/conversion";
import type { Terms } from "../domain/fees";
import { tokensOfIntent } from "../domain/intent-command";
import { type AgentLimits, requireRoom, type Share, sharesOf } from "../domain/limits";
import { feeMethod } from "../domain/new-pull";
import { type PaymentCommand, paymentIdOf } from "../domain/payment-command";
import type { PaymentIntent } from "../domain/payment-intent";
import { tenantNeed } from "../domain/promises";
import type { FundedRail, Quotes, Routes } from "../ports";
import type { LimitStore } from "../store/limit-store";
import { type KnownTokensDeps, requireKnownTokens } from "./known-tokens";

export interface AppraisePaymentDeps extends KnownTokensDeps {
  quotes: Pick<Quotes, "price">;
  routes: Routes;
  limits: Pick<LimitStore, "used">;
  limitsOf(tenant: string): AgentLimits;
  valueIn: ValueIn;
  /** Returns the terms that were agreed with the tenant for a method. */
  termsOf(tenant: string, method: string): Terms;
  clock: Clock;
}

/** What a payment would be stored with. */
export interface Appraisal {
  quote: BoundQuote | undefined;
  /** The amount that the recipient gets; undefined when no recipient is paid. */
  payoutAmount: Money | undefined;
  /** The rail, with its funds and the tenant's; undefined when no recipient is paid, and in a preview. */
  funds: FundedRail | undefined;
  /** What the payment uses of its agent's limits. */
  shares: readonly Share[];
  terms: Terms;
  at: Date;
}

export type AppraisePayment = (
  command: PaymentCommand,
  intent: PaymentIntent,
  purpose: "acceptance" | "preview",
) => Promise<Appraisal>;

/**
 * Checks everything but the fields of a payment, in the order in which it is refused: tokens, route, quote, amounts, funds, limits. An
 * acceptance and a preview run the same checks. An acceptance also has the funds reserved, which its caller must keep or release. It
 * leaves the limits to the write that stores the payment, since another payment may use them up meanwhile; that write also decides which
 * payment gets the quote.
 */
export const makeAppraisePayment =
  (deps: AppraisePaymentDeps): AppraisePayment =>
  async (command, intent, purpose) => {
    const { tenant, amount, payout, agent } = command;
    await requireKnownTokens(deps, tenant, tokensOfIntent(intent));
    const isPreview = purpose === "preview";
    const paymentId = isPreview ? undefined : paymentIdOf(command);
    const quote =
      payout === undefined
        ? undefined
        : await deps.quotes.price({ tenant, agentId: agent?.id, amount, order: payout, paymentId });
    const paidOut = payout === undefined ? undefined : payoutAmount(amount, payout, quote);
    const at = deps.clock.now();
    const shares = await sharesOfAgent(deps, command, at);
    const terms = deps.termsOf(tenant, feeMethod(command));
    const appraisal = { quote, payoutAmount: paidOut, shares, terms, at };
    const isPaidOut = payout !== undefined && paidOut !== undefined;
    const plan = isPaidOut && { tenant, order: payout, amount: paidOut, own: tenantNeed(command, terms) };
    if (!isPreview) return { ...appraisal, funds: plan ? await deps.routes.railFor(plan) : undefined };
    if (plan) await deps.routes.requireRail(plan);
    requireRoom(shares, await deps.limits.used(shares));
    return { ...appraisal, funds: undefined };
  };

/** Returns what a payment that an agent sends uses of the agent's limits. */
async function sharesOfAgent(
  { limitsOf, valueIn }: Pick<AppraisePaymentDeps, "limitsOf" | "valueIn">,
  { tenant, agent, amount }: PaymentCommand,
  at: Date,
): Promise<readonly Share[]> {
  if (agent === undefined) return [];
  const limits = limitsOf(tenant);
  return sharesOf(limits, { tenant, agentId: agent.id, value: await valueIn(amount, limits.currency), at });
}
