import { DomainError, invalid } from "../shared/errors";
import type { Money } from "../shared/money";
import type { PayoutOrder } from "./domain/payment-request";
import { type MoneyServices, railsFor } from "./domain/routing";
import type { Reservation, Routes } from "./ports";
import type { Prefunding } from "./prefunding";

export interface RoutesDeps {
  moneyServices: MoneyServices;
  /** Name of the rail that credits wallets of this platform. */
  walletLedger: string;
  prefunding: Prefunding;
  isOwnWallet(named: { tenant: string; walletId: string; currency: string }): Promise<boolean>;
}

/** Chooses rails by method, corridor and available funds; a wallet of the tenant itself is credited on the ledger. */
export function makeRoutes({ moneyServices, walletLedger, isOwnWallet, prefunding }: RoutesDeps): Routes {
  const isLedgers = async (tenant: string, order: PayoutOrder, { currency, minor }: Money): Promise<boolean> => {
    const walletId = order.account["walletId"];
    if (order.shape !== "customer" || order.method !== "WALLET" || walletId === undefined || minor === 0n) return false;
    return isOwnWallet({ tenant, walletId, currency });
  };
  /** The first rail that `fund` finds funds at; the ledger's own wallets, and payouts of nothing, need no account at one. */
  const choose = async <T>(
    tenant: string,
    order: PayoutOrder,
    amount: Money,
    { unfunded, fund }: { unfunded: T; fund: (rail: string) => Promise<T | undefined> },
  ): Promise<T & { rail: string }> => {
    if (await isLedgers(tenant, order, amount)) return { rail: walletLedger, ...unfunded };
    const rails = railsFor(order, moneyServices);
    const field = `recipient.${order.shape === "customer" ? "destination" : "paymentMethod"}.type`;
    if (rails.length === 0) throw invalid([{ field, message: "must be a method that is served" }]);
    for (const rail of rails) {
      const funds = amount.minor === 0n ? unfunded : await fund(rail);
      if (funds !== undefined) return { rail, ...funds };
    }
    throw new DomainError("FUNDS_TOO_LOW", "the provider's funds do not cover the payout", {
      details: { account: "provider" },
    });
  };
  return {
    railFor: (tenant, order, amount) =>
      choose(tenant, order, amount, { unfunded: nothing, fund: (rail) => prefunding.reserve(rail, amount) }),
    async requireRail(tenant, order, amount) {
      const fund = async (rail: string): Promise<object | undefined> =>
        (await prefunding.covers(rail, amount)) ? {} : undefined;
      await choose(tenant, order, amount, { unfunded: {}, fund });
    },
  };
}

const nothing: Reservation = { keep: () => {}, giveBack: () => {}, doubt: () => {} };
