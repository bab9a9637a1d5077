import { fixedCards } from "./cards";
import { debitAccounts } from "./debits/debit-book";
import { moneyServicesOperators, rails } from "./rails/rail-facts";
import { scenarios } from "./scenarios";

/** Everything that this world reacts to, for machines. */
export const worldValues = (): object => ({
  scenarios: [...scenarios].map(([name, { effect }]) => ({
    name,
    value: `SIM:${name}`,
    effect,
    default: name === "paid",
  })),
  rails: Object.entries(rails).map(([rail, { methods, currencies, account, hasPrepare }]) => ({
    rail,
    methods,
    currencies,
    account: Object.keys(account),
    hasPrepare,
  })),
  moneyServicesOperators,
  cardTokens: fixedCards.map(({ token, effect }) => ({ token, effect })),
  debitAccounts,
});
