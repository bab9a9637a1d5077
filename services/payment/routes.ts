import { invalid } from "../shared/errors";
import { type MoneyServices, railsFor } from "./domain/routing";
import type { Routes } from "./ports";

/** Chooses rails by method and corridor. */
export function makeRoutes(moneyServices: MoneyServices): Routes {
  return {
    railFor(_tenant, order) {
      const [rail] = railsFor(order, moneyServices);
      const field = `recipient.${order.shape === "customer" ? "destination" : "paymentMethod"}.type`;
      if (rail === undefined) throw invalid([{ field, message: "must be a method that is served" }]);
      return Promise.resolve(rail);
    },
  };
}
