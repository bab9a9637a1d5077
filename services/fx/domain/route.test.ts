import { type QuoteRequest, type Routes, requireRoute } from "./route";

const routes: Routes = new Map([
  ["BRA", { sourceCurrencies: ["USD"], destinationCurrencies: ["BRL"], paymentMethods: ["BANK_ACCOUNT"] }],
]);
const offered: QuoteRequest = {
  tenant: "demo",
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  paymentMethod: "BANK_ACCOUNT",
  destinationCountry: "BRA",
};

describe("requireRoute", () => {
  it("accepts what is offered, and any pair when no country narrows it", () => {
    expect(() => requireRoute(routes, offered)).not.toThrow();
    expect(() =>
      requireRoute(routes, { ...offered, destinationCurrency: "JPY", destinationCountry: undefined }),
    ).not.toThrow();
  });

  it.each<Partial<QuoteRequest>>([
    { sourceCurrency: "JPY" },
    { destinationCurrency: "EUR" },
    { paymentMethod: "CARD" },
    { destinationCountry: "BR" },
    { destinationCountry: "bra" },
    { destinationCountry: "DEU" },
    { destinationCountry: "" },
    { destinationCountry: "constructor" },
  ])("refuses %j", (change) => {
    expect(() => requireRoute(routes, { ...offered, ...change })).toThrow("no route");
  });
});
