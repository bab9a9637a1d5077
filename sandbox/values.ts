import { fixedCards } from "./cards";
import { debitAccounts } from "./debits/debit-book";
import { bankAccounts } from "./linker/bank-accounts";
import { fixedPublicToken } from "./linker/link-book";
import { moneyServicesOperators, rails } from "./rails/rail-facts";
import { scenarios } from "./scenarios";
import { testNumbers } from "./tokenizer/tokenizer";

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
  cardNumbers: testNumbers,
  debitAccounts,
  linkFlow: {
    accountCheckToken: fixedPublicToken,
    accountCheckIds: bankAccounts.map(({ accountId, effect }) => ({ accountId, effect })),
    page: "/link?token=<link token>",
  },
});
