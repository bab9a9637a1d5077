import { type AcceptedConversion, compareConversion, type PostedMove, promisedFigures } from "./margin";

const accepted: AcceptedConversion = {
  paymentId: "p",
  tenant: "demo",
  quoteId: "q",
  amount: { minor: 10_000n, currency: "USD" },
  payoutAmount: { minor: 53_995n, currency: "BRL" },
  marginMinor: 100n,
};
/** 100 USD become 539.955 BRL, which rounds to even: 539.96. A hundredth less than the market's rate. */
const quote = {
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  rate: { mantissa: 539_955n, scale: 5 },
  midRate: { mantissa: 5_454_091n, scale: 6 },
};
const fx = (currency: string, minor: bigint): PostedMove => ({ account: "platform/fx", currency, minor });
const margin = (currency: string, minor: bigint): PostedMove => ({ account: "platform/margin", currency, minor });
const posted = [fx("USD", 10_000n), fx("BRL", -53_995n), fx("USD", -100n), margin("USD", 100n)];
const compare = (moves: readonly PostedMove[], isReturn = false) =>
  compareConversion(accepted, quote, { isReturn, moves });

describe("promisedFigures", () => {
  it.each<[string, bigint, bigint]>([
    ["the product, half to even", 53_996n, 53_996n],
    ["less by a fraction of a minor unit, as the caller asked", 53_995n, 53_995n],
    ["the product, whatever less was agreed", 53_994n, 53_996n],
    ["the product, whatever more was agreed", 53_997n, 53_996n],
  ])("of the quote pay out %s", (_what, minor, paidMinor) => {
    const payoutAmount = { minor, currency: "BRL" };

    expect(promisedFigures({ ...accepted, payoutAmount, marginMinor: 7n }, quote)).toEqual({
      receivedMinor: 10_000n,
      paidMinor,
      marginMinor: 100n,
    });
  });

  it.each<[string, bigint, bigint]>([
    ["half a minor unit down to even", 9_950n, 50n],
    ["half a minor unit up to even", 10_150n, 51n],
  ])("round the margin once: %s", (_what, minor, marginMinor) => {
    const halfPercent = { ...quote, rate: { mantissa: 995n, scale: 3 }, midRate: { mantissa: 1n, scale: 0 } };
    const small = { ...accepted, amount: { minor, currency: "USD" } };

    expect(promisedFigures(small, halfPercent).marginMinor).toBe(marginMinor);
  });

  it("have no margin where the customer's rate is not below the market's", () => {
    expect(promisedFigures(accepted, { ...quote, midRate: quote.rate }).marginMinor).toBe(0n);
    expect(promisedFigures(accepted, { ...quote, midRate: { mantissa: 5n, scale: 0 } }).marginMinor).toBe(0n);
  });

  it("are the payment's own when its quote is no longer kept", () => {
    expect(promisedFigures({ ...accepted, marginMinor: 7n }, undefined)).toEqual({
      receivedMinor: 10_000n,
      paidMinor: 53_995n,
      marginMinor: 7n,
    });
  });
});

describe("compareConversion", () => {
  it("agrees with what was promised, and undone it is all negative", () => {
    const figures = { receivedMinor: 10_000n, paidMinor: 53_995n, marginMinor: 100n };
    const undone = { receivedMinor: -10_000n, paidMinor: -53_995n, marginMinor: -100n };
    const back = posted.map((move) => ({ ...move, minor: -move.minor }));

    expect(compare(posted)).toEqual({ promised: figures, posted: figures, agrees: true });
    expect(compare(back, true)).toEqual({ promised: undone, posted: undone, agrees: true });
  });

  it.each<[string, readonly PostedMove[]]>([
    ["took in a minor unit more", [...posted, fx("USD", 1n)]],
    ["paid out a minor unit more", [...posted, fx("BRL", -1n)]],
    ["kept a minor unit less", [...posted, fx("USD", 1n), margin("USD", -1n)]],
    ["was posted twice", [...posted, ...posted]],
    ["was undone instead", posted.map((move) => ({ ...move, minor: -move.minor }))],
    ["left something of another currency", [...posted, fx("EUR", 1n)]],
    ["earned something of the currency that it paid", [...posted, margin("BRL", 1n)]],
  ])("differs when the ledger %s", (_what, moves) => {
    expect(compare(moves).agrees).toBe(false);
  });

  it("differs for a quote of other currencies", () => {
    const other = { ...quote, destinationCurrency: "EUR" };

    expect(compareConversion(accepted, other, { isReturn: false, moves: posted }).agrees).toBe(false);
  });

  it("is exact for the largest amounts", () => {
    const minor = 9_007_199_254_740_993n;
    const large = { ...accepted, amount: { minor, currency: "USD" }, payoutAmount: { minor, currency: "EUR" } };
    const even = {
      ...quote,
      destinationCurrency: "EUR",
      rate: { mantissa: 1n, scale: 0 },
      midRate: { mantissa: 1n, scale: 0 },
    };
    const moves = [fx("USD", minor), fx("EUR", -minor)];

    expect(compareConversion(large, even, { isReturn: false, moves }).agrees).toBe(true);
    expect(compareConversion(large, even, { isReturn: false, moves: [...moves, fx("EUR", 1n)] }).agrees).toBe(false);
  });
});
