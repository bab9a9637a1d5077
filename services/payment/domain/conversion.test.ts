import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { partyOf } from "../../../test/support/payment-builder";
import { exactConversion, money, type Rate, requireDigits } from "../../shared/kernel/money";
import {
  type BoundQuote,
  convert,
  leastAmount,
  marginMinor,
  parity,
  payoutAmount,
  requireConvertible,
  valueAtMost,
} from "./conversion";
import type { PayoutOrder } from "./payment-command";

const packs = join(__dirname, "../../schema/packs");

/** Returns the currency of every corridor, from the packs of the schema service. */
function corridorCurrencies(): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(packs, file), "utf8")) as { currencies: string[] };
  return [...new Set(readdirSync(packs).flatMap((file) => read(file).currencies))].toSorted();
}

/** A payout that the platform prices. */
const order = (currency: string): PayoutOrder => ({
  recipientAmount: { minor: 0n, currency },
  exchangeRate: undefined,
  quoteId: undefined,
  isIndicative: true,
  profile: "CUSTOMER",
  countryCode: "BRA",
  method: { kind: "pix", key: "k", keyType: "EMAIL" },
  recipient: partyOf("Maria", "Souza"),
  texts: { purpose: "", descriptor: "", narrative: "", extras: {} },
});

const quote = (rate: bigint, mid: bigint, scale = 4): BoundQuote => ({
  quoteId: "q",
  sourceCurrency: "USD",
  destinationCurrency: "BRL",
  rate: { mantissa: rate, scale },
  midRate: { mantissa: mid, scale },
});

describe("marginMinor", () => {
  it.each([
    ["two per cent of a hundred dollars", 10_000n, quote(49_000n, 50_000n), 200n],
    ["half a cent, to even", 25n, quote(49_000n, 50_000n), 0n],
    ["one and a half cents, to even", 75n, quote(49_000n, 50_000n), 2n],
    ["nothing of nothing", 0n, quote(49_000n, 50_000n), 0n],
    ["nothing at the market's own rate", 10_000n, quote(50_000n, 50_000n), 0n],
    ["nothing where ours is better", 10_000n, quote(51_000n, 50_000n), 0n],
    ["nothing without a quote", 10_000n, undefined, 0n],
  ])("is %s", (_case, minor, given, expected) => {
    expect(marginMinor(money(minor, "USD"), given)).toBe(expected);
  });

  it("compares rates of different scales", () => {
    const given = { ...quote(49n, 50_000n), rate: { mantissa: 49n, scale: 1 } };

    expect(marginMinor(money(10_000n, "USD"), given)).toBe(200n);
  });

  it("and what is paid out are together worth the amount at the market's rate, but for rounding", () => {
    const amounts = fc.bigInt(1n, 10n ** 12n);
    const rates = fc.tuple(fc.bigInt(10_000n, 10n ** 7n), fc.bigInt(0n, 500n));
    fc.assert(
      fc.property(amounts, rates, (minor, [mid, bps]) => {
        const given = quote(mid - (mid * bps) / 10_000n, mid);
        const kept = marginMinor(money(minor, "USD"), given);
        const paid = convert(money(minor, "USD"), given.rate, "BRL").minor;

        // Rounding moves each side by up to half a unit; half a unit on the left is worth up to `mid` on the right.
        const difference = paid * 10_000n - (minor - kept) * mid;
        expect(difference <= 5_000n + mid / 2n + 1n && difference >= -5_000n - mid / 2n - 1n).toBe(true);
      }),
      { seed: 20_261_121, numRuns: 2_000 },
    );
  });
});

describe("the least amount", () => {
  const seed = 20_261_122;
  /** Every currency that a corridor pays out in, and some that are only sent, with zero to three decimals. */
  const currencies = corridorCurrencies();
  const source = fc.constantFrom("USD", "EUR", "GBP", ...currencies);
  const destination = fc.constantFrom(...currencies);
  /** Rates from a hundred-millionth to a hundred million units for one, with up to ten digits. */
  const rate = fc.record({ mantissa: fc.bigInt(1n, 10n ** 10n), scale: fc.integer({ min: 0, max: 18 }) });
  const pairs = fc.tuple(source, destination, rate).filter(([from, to]) => from !== to);
  const paidOf = (minor: bigint, from: string, factor: Rate, to: string): bigint =>
    payoutAmount(money(minor, from), order(to), { ...quote(1n, 1n), rate: factor, midRate: factor }).minor;

  it("knows the money of all 133 corridors", () => {
    expect(currencies.length).toBeGreaterThan(90);
    expect(new Set(currencies.map(requireDigits))).toEqual(new Set([0, 2, 3]));
  });

  it("pays a minor unit or more, and rounding takes one per cent at most, of it and of all that is more", () => {
    fc.assert(
      fc.property(pairs, fc.bigInt(0n, 10n ** 12n), ([from, to, factor], more) => {
        const least = leastAmount(from, factor, to);
        fc.pre(least !== undefined && least.minor < 10n ** 14n);
        const amount = money((least?.minor ?? 0n) + more, from);
        const exact = exactConversion(amount, factor, requireDigits(to));
        fc.pre(exact.numerator / exact.denominator < 2n ** 62n);

        const paid = paidOf(amount.minor, from, factor, to);

        const error = paid * exact.denominator - exact.numerator;
        expect(paid).toBeGreaterThan(0n);
        expect((error < 0n ? -error : error) * 100n <= exact.numerator).toBe(true);
      }),
      { seed, numRuns: 5_000 },
    );
  });

  it("is the least: one minor unit less is refused on its own field, and nothing stays nothing", () => {
    fc.assert(
      fc.property(pairs, ([from, to, factor]) => {
        const least = leastAmount(from, factor, to);
        fc.pre(least !== undefined && least.minor > 1n);
        const less = (least?.minor ?? 2n) - 1n;

        expect(() => paidOf(less, from, factor, to)).toThrow(
          expect.objectContaining({
            reason: "INVALID_ARGUMENT",
            violations: [expect.objectContaining({ field: "amount.total" })],
          }),
        );
        expect(paidOf(0n, from, factor, to)).toBe(0n);
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it("pays more for more, and never the less", () => {
    fc.assert(
      fc.property(pairs, fc.bigInt(0n, 10n ** 9n), fc.bigInt(0n, 10n ** 6n), ([from, to, factor], some, more) => {
        const least = leastAmount(from, factor, to);
        fc.pre(least !== undefined && least.minor < 10n ** 14n);
        const first = (least?.minor ?? 0n) + some;
        fc.pre(paidWithin(first + more, from, factor, to));

        expect(paidOf(first + more, from, factor, to)).toBeGreaterThanOrEqual(paidOf(first, from, factor, to));
      }),
      { seed, numRuns: 2_000 },
    );
  });

  it("makes splitting no business: parts are paid one per cent more than their whole at the very most", () => {
    fc.assert(
      fc.property(
        pairs,
        fc.array(fc.bigInt(0n, 10n ** 6n), { minLength: 2, maxLength: 20 }),
        ([from, to, factor], over) => {
          const least = leastAmount(from, factor, to);
          fc.pre(least !== undefined && least.minor < 10n ** 14n);
          const parts = over.map((more) => (least?.minor ?? 0n) + more);
          const whole = money(
            parts.reduce((sum, part) => sum + part, 0n),
            from,
          );
          const exact = exactConversion(whole, factor, requireDigits(to));
          fc.pre(exact.numerator / exact.denominator < 2n ** 61n);

          const paid = parts.reduce((sum, part) => sum + paidOf(part, from, factor, to), 0n);

          expect(paid * exact.denominator * 100n <= exact.numerator * 101n).toBe(true);
          // Rounding may change each part by at most half a minor unit.
          expect(2n * (paid * exact.denominator - exact.numerator) <= BigInt(parts.length) * exact.denominator).toBe(
            true,
          );
        },
      ),
      { seed, numRuns: 2_000 },
    );
  });

  it("of equal money is one minor unit, and of what a rate makes nothing of there is none", () => {
    expect(leastAmount("USD", parity, "USD")).toEqual(money(1n, "USD"));
    expect(leastAmount("USD", { mantissa: 0n, scale: 0 }, "BRL")).toBeUndefined();
    expect(leastAmount("IDR", { mantissa: 1n, scale: 18 }, "KWD")).toEqual(money(5_000_000_000_000_000_000n, "IDR"));
    expect(() => requireConvertible(money(5n, "USD"), { mantissa: 0n, scale: 0 }, "BRL")).toThrow(
      "worth nothing in BRL",
    );
  });

  it.each([
    // 0.40 INR is half a US cent, and 121.69 IDR half a penny.
    ["INR", 40n, { mantissa: 118n, scale: 4 }, "USD"],
    ["IDR", 12_169n, { mantissa: 419n, scale: 7 }, "GBP"],
  ])("refuses %s that become next to nothing", (from, minor, factor, to) => {
    expect(() => paidOf(minor, from, factor, to)).toThrow(expect.objectContaining({ reason: "INVALID_ARGUMENT" }));
  });

  const paidWithin = (minor: bigint, from: string, factor: Rate, to: string): boolean => {
    const exact = exactConversion(money(minor, from), factor, requireDigits(to));
    return exact.numerator / exact.denominator < 2n ** 62n;
  };
});

describe("valueAtMost", () => {
  it("rounds up to the next minor unit", () => {
    expect(valueAtMost(money(1n, "JPY"), { mantissa: 67n, scale: 4 }, "USD")).toEqual(money(1n, "USD"));
    expect(valueAtMost(money(300n, "JPY"), { mantissa: 67n, scale: 4 }, "USD")).toEqual(money(201n, "USD"));
    expect(valueAtMost(money(0n, "JPY"), { mantissa: 67n, scale: 4 }, "USD")).toEqual(money(0n, "USD"));
  });
});

describe("payoutAmount", () => {
  const bound = (mantissa: bigint, scale: number): BoundQuote => quote(mantissa, mantissa, scale);
  const rate = bound(543_215n, 5);
  const quoted = (minor: bigint, changes: object = {}): PayoutOrder => ({
    ...order("BRL"),
    recipientAmount: money(minor, "BRL"),
    quoteId: "q",
    isIndicative: false,
    ...changes,
  });
  const hundred = money(10_000n, "USD");

  it("pays the lower of the sent and the exact amount", () => {
    expect(payoutAmount(hundred, quoted(54_321n), rate).minor).toBe(54_321n);
    expect(payoutAmount(hundred, quoted(54_322n), rate).minor).toBe(54_322n);
  });

  it.each([
    ["recipientAmount.total", hundred, quoted(54_323n)],
    ["recipientAmount.total", hundred, quoted(54_320n)],
    ["recipientAmount.total", money(0n, "USD"), quoted(1n)],
    ["exchangeRate", hundred, quoted(54_321n, { exchangeRate: { digits: 54_321n, scale: 4 } })],
  ])("refuses a wrong %s", (field, amount, wrong) => {
    expect(() => payoutAmount(amount, wrong, rate)).toThrow(
      expect.objectContaining({ reason: "QUOTE_MISMATCH", violations: [expect.objectContaining({ field })] }) as Error,
    );
  });

  it("takes a rate that is written differently but equal", () => {
    const written = quoted(54_321n, { exchangeRate: { digits: 543_215n, scale: 5 } });

    expect(() => payoutAmount(hundred, written, bound(54_321_500n, 7))).not.toThrow();
  });

  it("never pays more than the exact product rounded to the nearest minor unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 9 }), (cents, mantissa) => {
        const exactTimesUnit = BigInt(cents) * BigInt(mantissa);
        // Smaller amounts are too small to be converted.
        fc.pre(exactTimesUnit >= 50n * 10n ** 8n);
        const asked = BigInt(Math.round(cents * (mantissa / 1e8)));
        const paid = payoutAmount(money(BigInt(cents), "USD"), quoted(asked), bound(BigInt(mantissa), 8)).minor;
        expect(paid * 2n * 10n ** 8n <= exactTimesUnit * 2n + 10n ** 8n).toBe(true);
      }),
    );
  });
});
