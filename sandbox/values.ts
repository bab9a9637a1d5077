import { fixedCards } from "./cards";
import { debitAccounts } from "./debits/debit-book";
import { answerKinds, signatureFaults } from "./fault-rule";
import { captureEndings } from "./kyc/captures";
import { rejectedName } from "./kyc/kyc";
import { readingEndings } from "./kyc/readings";
import { bankAccounts } from "./linker/bank-accounts";
import { fixedPublicToken } from "./linker/link-book";
import { movementKinds } from "./movements";
import { moneyServicesOperators, rails } from "./rails/rail-facts";
import { railRefusals, refusals } from "./refusals";
import { scenarios } from "./scenarios";
import { testNumbers } from "./tokenizer/tokenizer";

/** All values that the sandbox reacts to, machine-readable. */
export const sandboxValues = (known: { acts: object; operations: object } = { acts: {}, operations: {} }): object => ({
  faults: {
    steps: known.operations,
    answerKinds,
    signatures: signatureFaults,
    mark: "FAULT:<mark>, anywhere in an order",
  },
  acts: known.acts,
  movementKinds,
  refusals,
  railRefusals,

  scenarios: [...scenarios].map(([name, { effect, ends }]) => ({
    name,
    value: `SIM:${name}`,
    effect,
    ends,
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
  persons: [
    { lastName: rejectedName, effect: "REJECTED: a requirement is not met" },
    { lastName: "Sanctioned", effect: "REJECTED: screening" },
  ],
  sessions: Object.entries(captureEndings).map(([ending, { status }]) => ({ userRef: `…${ending}`, effect: status })),
  documents: Object.entries(readingEndings).map(([ending, { status }]) => ({
    documentNumber: `…${ending}`,
    effect: status,
  })),
  linkFlow: {
    accountCheckToken: fixedPublicToken,
    accountCheckIds: bankAccounts.map(({ accountId, effect }) => ({ accountId, effect })),
    page: "/link?token=<link token>",
  },
});
