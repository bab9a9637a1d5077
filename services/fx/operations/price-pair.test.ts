import pricing from "../domain/pricing.json";
import policy from "../domain/rate-policy.json";
import { makePricePair } from "./price-pair";

const leg = (currency: string) => ({
  currency,
  perUsd: { digits: currency === "USD" ? 1n : 5n, scale: 0 },
  date: "2026-11-20",
  asOf: new Date("2026-11-20T20:00:00Z"),
  snapshot: "s",
  readings: [],
  source: currency === "USD" ? "" : "a",
});
const price = (isClosed: boolean, destinationCurrency: string) =>
  makePricePair({
    rates: { forPromise: leg, isClosed: () => isClosed },
    pricing,
    policy,
    ttlSeconds: 900,
    clock: { now: () => new Date("2026-11-21T12:00:00Z") },
    ids: { uuid: () => "q" },
  })({
    tenant: "demo",
    agentId: undefined,
    sourceCurrency: "USD",
    destinationCurrency,
    paymentMethod: "BANK_ACCOUNT",
    destinationCountry: undefined,
    amountMinor: undefined,
  });

describe("pricePair", () => {
  it.each([
    ["EUR", 60, 80],
    ["BRL", 120, 170],
    ["NGN", 200, 300],
    ["USD", 0, 0],
  ])("applies a wider spread to %s while markets are closed", (currency, open, closed) => {
    expect([price(false, currency).spreadBps, price(true, currency).spreadBps]).toEqual([open, closed]);
    expect(price(true, currency).rate.mantissa).toBeLessThanOrEqual(price(false, currency).rate.mantissa);
  });

  it("is as old as its rates, and needs no market for equal currencies", () => {
    expect(price(true, "BRL")).toMatchObject({ rateSource: "a", rateDate: "2026-11-20", rateSnapshot: "s" });
    expect(price(true, "USD")).toMatchObject({ rateSource: "equal currencies", rateSnapshot: undefined, legs: [] });
  });
});
