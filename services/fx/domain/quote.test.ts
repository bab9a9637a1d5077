import { claimRefusal, purgeTime, type Quote } from "./quote";

const expiresAt = new Date("2026-01-01T00:15:00Z");
const before = new Date(expiresAt.getTime() - 1);
const free: Quote = {
  id: "q",
  tenant: "demo",
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  paymentMethod: "BANK_ACCOUNT",
  rate: { mantissa: 5n, scale: 0 },
  midRate: { mantissa: 6n, scale: 0 },
  spreadBps: 120,
  rateDate: "2026-01-01",
  createdAt: new Date("2026-01-01T00:00:00Z"),
  expiresAt,
  paymentId: undefined,
};

describe("claimRefusal", () => {
  it.each<[string, Quote | undefined, Date, string]>([
    ["an unknown quote", undefined, before, "QUOTE_UNUSABLE"],
    ["a quote of another payment", { ...free, paymentId: "other" }, before, "QUOTE_UNUSABLE"],
    ["an expired quote of another payment", { ...free, paymentId: "other" }, expiresAt, "QUOTE_UNUSABLE"],
    ["a free quote at its last instant", free, expiresAt, "QUOTE_EXPIRED"],
    ["a quote given back meanwhile", free, before, "VERSION_CONFLICT"],
  ])("of %s", (_case, quote, at, reason) => {
    expect(claimRefusal(quote, "mine", at)).toMatchObject({ reason });
  });
});

describe("purgeTime", () => {
  it("is 30 days after the quote expired", () => {
    expect(purgeTime(expiresAt)).toEqual(new Date("2026-01-31T00:15:00Z"));
  });
});
