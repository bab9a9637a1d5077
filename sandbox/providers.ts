import type { Router } from "express";
import { acquirerOperations, startAcquirer } from "./acquirer/acquirer";
import { refuseCard } from "./cards";
import { openDebitBook } from "./debits/debit-book";
import { type AccountOf, debitOperations, debitRoutes } from "./debits/debits";
import type { Environment } from "./environment";
import type { Operations } from "./fault-rule";
import { kycOperations, startKyc } from "./kyc/kyc";
import { readingOperations, startReadings } from "./kyc/readings";
import { bankAccounts } from "./linker/bank-accounts";
import { openLinkBook } from "./linker/link-book";
import { linkPage } from "./linker/link-page";
import { linkerOperations, plaidRoutes } from "./linker/plaid-api";
import { marketOperations, startMarket } from "./market/market";
import { openFunds } from "./rails/funds";
import { makeInstructions } from "./rails/instructions";
import { pushRailRoutes, railOperations } from "./rails/push-rails";
import { railControlRoutes } from "./rails/rail-control";
import { rails } from "./rails/rail-facts";
import { screeningOperations, startScreening } from "./screening";
import { startTokenizer, tokenizerOperations } from "./tokenizer/tokenizer";
import { sinkOperations } from "./webhook-receiver";

/** Operations that fault rules can name, by provider. */
export const operations: Operations = {
  ...Object.fromEntries(Object.keys(rails).map((rail) => [rail, railOperations])),
  screening: screeningOperations,
  kyc: kycOperations,
  documents: readingOperations,
  acquirer: acquirerOperations,
  debits: debitOperations,
  linker: linkerOperations,
  tokenizer: tokenizerOperations,
  sink: sinkOperations,
  market: marketOperations,
};

/** Providers that issue statements. */
export const statementProviders: readonly string[] = [...Object.keys(rails), "acquirer", "debits"];

/** Sections of the book by name: all records of one kind, or those of one reference. */
export type BookSections = Readonly<Record<string, (reference: string | undefined) => readonly object[]>>;

interface ProviderOptions {
  railKey: string;
  settleAfterMs: number;
  finalityWindowMs: number;
}

/** Opens every provider. Calls to providers need their key; pages and the controls of tests do not. */
export function openProviders(
  environment: Environment,
  options: ProviderOptions,
): { providers: Router[]; open: Router[]; sections: BookSections } {
  const { database, faults, serve, movements } = environment;
  const funds = openFunds(database);
  const isSettlementRefused = (rail: string, reference: string): boolean =>
    faults.take({ provider: rail, step: "settle", reference }).refuse;
  const instructions = makeInstructions({ ...environment, ...options, funds, isSettlementRefused });
  const screening = startScreening(environment);
  const kyc = startKyc(environment);
  const readings = startReadings(environment);
  const tokenizer = startTokenizer(environment);
  const acquirer = startAcquirer(environment, tokenizer.findCard);
  const debits = openDebitBook(environment);
  const links = openLinkBook(environment);
  const accountOf: AccountOf = (accessToken, accountId) =>
    links.item(accessToken)?.accountIds.includes(accountId) === true
      ? bankAccounts.find((account) => account.accountId === accountId)?.accountNumber
      : undefined;
  const refuse = (token: string) => refuseCard(tokenizer.findCard(token));
  const of = <T extends { reference: string }>(
    provider: (record: T) => string,
    list: () => T[],
    find?: (reference: string) => (T | undefined)[],
  ) => sectionOf(environment, provider, list, find);
  return {
    providers: [
      pushRailRoutes({ ...options, serve, funds, instructions, refuseCard: refuse }),
      screening.routes,
      kyc.routes,
      readings.routes,
      acquirer.routes,
      debitRoutes({ debits, serve, accountOf }),
      plaidRoutes({ ...environment, links, secret: options.railKey }),
    ],
    open: [
      startMarket(environment),
      railControlRoutes(environment, funds),
      acquirer.pages,
      kyc.pages,
      linkPage(links),
      tokenizer.routes,
    ],
    sections: {
      movements: movements.list,
      instructions: of(
        ({ rail }) => rail,
        instructions.list,
        (reference) => Object.keys(rails).map((rail) => instructions.find(rail, reference)),
      ),
      captures: of(() => "kyc", kyc.list),
      readings: of(() => "documents", readings.list),
      screenings: of(() => "screening", screening.list),
      authorizations: of(
        () => "acquirer",
        acquirer.authorizations.list,
        (reference) => [acquirer.authorizations.find(reference)],
      ),
      verifications: of(() => "acquirer", acquirer.verifications.list),
      debits: of(
        () => "debits",
        debits.list,
        (reference) => [debits.find(reference)],
      ),
      items: () => links.items(),
    },
  };
}

/** Records as the book shows them, each with the callbacks that it caused. */
function sectionOf<T extends { reference: string }>(
  { callbacks }: Environment,
  provider: (record: T) => string,
  list: () => T[],
  find: (reference: string) => (T | undefined)[] = (reference) => list().filter((one) => one.reference === reference),
): (reference: string | undefined) => readonly object[] {
  return (reference) =>
    (reference === undefined ? list() : find(reference).filter((record) => record !== undefined)).map((record) => ({
      ...record,
      callbacks: callbacks
        .of(provider(record), record.reference)
        .map(({ eventId, status, attempts, deliveredAt }) => ({ eventId, status, attempts, deliveredAt })),
    }));
}
