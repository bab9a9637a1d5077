import { invalid } from "../shared/errors";
import type { Money } from "../shared/money";
import type { PayoutOrder } from "./domain/payment-request";
import { type MoneyServices, railsFor } from "./domain/routing";
import type { Routes } from "./ports";

export interface RoutesDeps {
  moneyServices: MoneyServices;
  /** Name of the rail that credits wallets of this platform. */
  walletLedger: string;
  isOwnWallet(named: { tenant: string; walletId: string; currency: string }): Promise<boolean>;
}

/** Chooses rails by method and corridor; a wallet of the tenant itself is credited on the ledger. */
export function makeRoutes({ moneyServices, walletLedger, isOwnWallet }: RoutesDeps): Routes {
  const isLedgers = async (tenant: string, order: PayoutOrder, { currency, minor }: Money): Promise<boolean> => {
    const walletId = order.account["walletId"];
    if (order.shape !== "customer" || order.method !== "WALLET" || walletId === undefined || minor === 0n) return false;
    return isOwnWallet({ tenant, walletId, currency });
  };
  return {
    async railFor(tenant, order, amount) {
      if (await isLedgers(tenant, order, amount)) return walletLedger;
      const [rail] = railsFor(order, moneyServices);
      const field = `recipient.${order.shape === "customer" ? "destination" : "paymentMethod"}.type`;
      if (rail === undefined) throw invalid([{ field, message: "must be a method that is served" }]);
      return rail;
    },
  };
}
