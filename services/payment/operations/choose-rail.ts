import type { DomainError } from "../../shared/kernel/errors";
import type { Money } from "../../shared/kernel/money";
import type { PayoutOrder } from "../domain/payment-command";
import { type MoneyServices, railsOf } from "../domain/payment-methods";
import { type Need, providerSilent, providerTooLow, railNeed, tenantTooLow } from "../domain/promises";
import type { PayoutPlan, Reservation, Routes } from "../ports";
import { isTooLow, type PromiseBlocks, type TooLow } from "./promise-funds";

export interface RoutesDeps {
  moneyServices: MoneyServices;
  /** Name of the rail that credits wallets of this platform. */
  walletLedger: string;
  funds: Pick<PromiseBlocks, "reserve" | "appraise">;
  isOwnWallet(named: { tenant: string; walletId: string; currency: string }): Promise<boolean>;
}

/** Chooses rails by method, corridor and available funds; a wallet of the tenant itself is credited on the ledger. */
export function makeRoutes(deps: RoutesDeps): Routes {
  const { walletLedger, funds } = deps;
  return {
    async railFor(plan) {
      const rails = await candidates(deps, plan);
      const own = await reserveOwn(funds, plan.own);
      const refused: TooLow[] = [];
      try {
        for (const rail of rails) {
          if (needsNothing(rail, walletLedger, plan)) return { rail, ...both(own, nothing) };
          const taken = await funds.reserve(railNeed(rail, plan.amount));
          if (!isTooLow(taken)) return { rail, ...both(own, taken) };
          refused.push(taken);
        }
        throw refusalOf(refused);
      } catch (error) {
        own.release();
        throw error;
      }
    },
    async requireRail(plan) {
      const rails = await candidates(deps, plan);
      const low = plan.own && (await funds.appraise(plan.own));
      if (plan.own !== undefined && low !== undefined) throw tenantTooLow(plan.own, low.available);
      const refused: TooLow[] = [];
      for (const rail of rails) {
        if (needsNothing(rail, walletLedger, plan)) return;
        const tooLow = await funds.appraise(railNeed(rail, plan.amount));
        if (tooLow === undefined) return;
        refused.push(tooLow);
      }
      throw refusalOf(refused);
    },
  };
}

/** Returns the rails that could pay an order out, the preferred one first. */
async function candidates(deps: RoutesDeps, { tenant, order, amount }: PayoutPlan): Promise<readonly string[]> {
  if (await isLedgers(deps, tenant, order, amount)) return [deps.walletLedger];
  return railsOf(order.method, order.countryCode, deps.moneyServices);
}

async function isLedgers(
  { isOwnWallet }: Pick<RoutesDeps, "isOwnWallet">,
  tenant: string,
  { method, profile }: PayoutOrder,
  { currency, minor }: Money,
): Promise<boolean> {
  if (profile !== "CUSTOMER" || method.kind !== "wallet" || minor === 0n) return false;
  return isOwnWallet({ tenant, walletId: method.walletId, currency });
}

/** True for the ledger's own wallets, and payouts of zero, which need no account at a rail. */
const needsNothing = (rail: string, walletLedger: string, { amount }: PayoutPlan): boolean =>
  rail === walletLedger || amount.minor === 0n;

const nothing: Reservation = { promises: [], commit: () => {}, release: () => {}, doubt: () => {}, lose: () => {} };

async function reserveOwn(funds: RoutesDeps["funds"], own: Need | undefined): Promise<Reservation> {
  if (own === undefined || own.minor === 0n) return nothing;
  const taken = await funds.reserve(own);
  if (isTooLow(taken)) throw tenantTooLow(own, taken.available);
  return taken;
}

/** Returns the refusal. Money is known to be missing only when each of the rails has said so. */
const refusalOf = (refused: readonly TooLow[]): DomainError =>
  refused.some(({ isSilent }) => isSilent) ? providerSilent() : providerTooLow();

const both = (one: Reservation, other: Reservation): Reservation => ({
  promises: [...one.promises, ...other.promises],
  commit() {
    one.commit();
    other.commit();
  },
  release() {
    one.release();
    other.release();
  },
  doubt() {
    one.doubt();
    other.doubt();
  },
  lose() {
    one.lose();
    other.lose();
  },
});
