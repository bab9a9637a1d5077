import { purgeTime, type Quote, requireFit } from "./quote";
import type { QuoteRequest } from "./route";

const expiresAt = new Date("2026-01-01T00:15:00Z");
const before = new Date(expiresAt.getTime() - 1);
const agentId = "11111111-1111-4111-9111-111111111111";
const quote: Quote = {
  id: "q",
  tenant: "demo",
  agentId,
  sourceCurrency: "USD",
  destinationCurrency: "XOF",
  paymentMethod: "BANK_ACCOUNT",
  destinationCountry: "CIV",
  rate: { mantissa: 5n, scale: 0 },
  midRate: { mantissa: 6n, scale: 0 },
  spreadBps: 120,
  rateDate: "2026-01-01",
  rateSource: "rates.example.com",
  rateReadAt: new Date("2026-01-01T00:00:00Z"),
  rateSnapshot: undefined,
  legs: [],
  createdAt: new Date("2026-01-01T00:00:00Z"),
  expiresAt,
};
const payment: QuoteRequest = {
  tenant: "demo",
  agentId,
  sourceCurrency: "USD",
  destinationCurrency: "XOF",
  paymentMethod: "BANK_ACCOUNT",
  destinationCountry: "CIV",
  amountMinor: undefined,
};

describe("requireFit", () => {
  it("accepts a payment that matches the quote, until its last millisecond", () => {
    expect(() => requireFit(quote, payment, before)).not.toThrow();
  });

  it("accepts any country for a quote that named none, and any agent for a quote of the tenant", () => {
    const open: Quote = { ...quote, destinationCountry: undefined, agentId: undefined };

    expect(() => requireFit(open, { ...payment, destinationCountry: "SEN" }, before)).not.toThrow();
    expect(() => requireFit(open, { ...payment, agentId: undefined }, before)).not.toThrow();
  });

  it.each<[string, Partial<QuoteRequest>, string]>([
    ["another agent", { agentId: agentId.replaceAll("1", "2") }, "fxId"],
    ["the tenant itself", { agentId: undefined }, "fxId"],
    ["another source", { sourceCurrency: "EUR" }, "amount.currency"],
    ["another destination", { destinationCurrency: "XAF" }, "recipientAmount.currency"],
    ["another method", { paymentMethod: "CARD" }, "fxId"],
    ["another country", { destinationCountry: "SEN" }, "fxId"],
  ])("refuses %s", (_case, change, field) => {
    expect(() => requireFit(quote, { ...payment, ...change }, before)).toThrow(
      expect.objectContaining({ reason: "QUOTE_MISMATCH", violations: [expect.objectContaining({ field })] }),
    );
  });

  it("answers the same for an unknown quote and another tenant's", () => {
    const unusable = expect.objectContaining({
      reason: "QUOTE_UNUSABLE",
      message: "the quote is unknown or already used",
    });

    expect(() => requireFit(undefined, payment, before)).toThrow(unusable);
    expect(() => requireFit(quote, { ...payment, tenant: "other" }, before)).toThrow(unusable);
  });

  it("refuses a quote at its last instant", () => {
    expect(() => requireFit(quote, payment, expiresAt)).toThrow(expect.objectContaining({ reason: "QUOTE_EXPIRED" }));
  });
});

describe("purgeTime", () => {
  it("is 30 days after the quote expired", () => {
    expect(purgeTime(expiresAt)).toEqual(new Date("2026-01-31T00:15:00Z"));
  });
});
