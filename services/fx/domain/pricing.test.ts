import { readFileSync } from "node:fs";
import { codes } from "currency-codes";
import fc from "fast-check";
import { type Decimal, exactConversion, money, type Rate } from "../../shared/kernel/money";
import { customerRate, paymentMethods, spreadBps } from "./pricing";
import pricing from "./pricing.json";
import { parseRateTable } from "./rate-table";

const seed = 20_260_929;

/** Any published rate: up to 12 digits, from a billion units to a hundred-millionth of a unit for one US dollar. */
const published = fc
  .record({ digits: fc.bigInt(1n, 10n ** 12n), scale: fc.integer({ min: 3, max: 12 }) })
  .filter(({ digits, scale }) => digits * 10n ** 8n >= 10n ** BigInt(scale));
const spread = fc.constantFrom(60, 120, 180, 200, 240, 260, 320);
const currency = fc.constantFrom("USD", "BRL", "JPY", "KWD");

function convertDown(minor: bigint, from: string, to: string, rate: Rate): bigint {
  const digits = { USD: 2, BRL: 2, JPY: 0, KWD: 3 }[to] ?? 0;
  const { numerator, denominator } = exactConversion(money(minor, from), rate, digits);
  return numerator / denominator;
}

describe("customerRate", () => {
  it.each<[string, Decimal, Decimal, number, Rate]>([
    [
      "USD to BRL",
      { digits: 1n, scale: 0 },
      { digits: 522423802n, scale: 8 },
      120,
      { mantissa: 5161547163n, scale: 9 },
    ],
    [
      "BRL to USD",
      { digits: 522423802n, scale: 8 },
      { digits: 1n, scale: 0 },
      120,
      { mantissa: 1891184889n, scale: 10 },
    ],
    ["KWD to IRR", { digits: 3n, scale: 1 }, { digits: 1500000n, scale: 0 }, 0, { mantissa: 5000000000n, scale: 3 }],
    ["IRR to KWD", { digits: 1500000n, scale: 0 }, { digits: 3n, scale: 1 }, 0, { mantissa: 2000000000n, scale: 16 }],
  ])("prices %s", (_pair, source, destination, bps, expected) => {
    expect(customerRate(source, destination, bps)).toEqual(expected);
  });

  it("is below the exact rate by less than one unit of its last digit, and has 8 digits or more", () => {
    fc.assert(
      fc.property(published, published, spread, (source, destination, bps) => {
        const { mantissa, scale } = customerRate(source, destination, bps);
        const numerator = destination.digits * 10n ** BigInt(source.scale + scale) * BigInt(10_000 - bps);
        const denominator = source.digits * 10n ** BigInt(destination.scale) * 10_000n;

        expect(mantissa * denominator <= numerator).toBe(true);
        expect((mantissa + 1n) * denominator > numerator).toBe(true);
        expect(mantissa).toBeLessThan(2n ** 63n);
        expect(scale).toBeLessThanOrEqual(18);
        if (scale < 18) expect(mantissa.toString().length).toBeGreaterThanOrEqual(8);
      }),
      { seed, numRuns: 5_000 },
    );
  });

  it("gives every pair of the installed table 8 digits or more", () => {
    const table = parseRateTable(
      readFileSync(require.resolve("@fawazahmed0/currency-api/v1/currencies/usd.json"), "utf8"),
    );
    const rates = codes().flatMap((code) => table.perUsd(code) ?? []);

    const short = rates.flatMap((source) =>
      rates.filter((destination) => customerRate(source, destination, 320).mantissa < 10n ** 7n),
    );

    expect(rates.length).toBeGreaterThan(140);
    expect(short).toEqual([]);
  });

  it("never gains a minor unit on a round trip, nor through a third currency", () => {
    const rates = fc.tuple(published, published, published);
    const currencies = fc.tuple(currency, currency, currency);
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 14n), currencies, rates, spread, (amount, [a, b, c], [pa, pb, pc], bps) => {
        const there = convertDown(amount, a, b, customerRate(pa, pb, bps));
        fc.pre(there < 10n ** 18n);

        expect(convertDown(there, b, a, customerRate(pb, pa, bps))).toBeLessThanOrEqual(amount);

        const onward = convertDown(there, b, c, customerRate(pb, pc, bps));
        fc.pre(onward < 10n ** 18n);
        expect(convertDown(onward, c, a, customerRate(pc, pa, bps))).toBeLessThanOrEqual(amount);
      }),
      // A million in `make test-long`.
      { seed, numRuns: 100_000 * Number(process.env["RANDOM_FACTOR"] ?? "1") },
    );
  });
});

describe("spreadBps", () => {
  it.each<[string, string, readonly number[]]>([
    ["USD", "EUR", [60, 120, 180]],
    ["USD", "BRL", [120, 180, 240]],
    ["BRL", "GBP", [120, 180, 240]],
    ["NGN", "USD", [200, 260, 320]],
    ["BRL", "XOF", [200, 260, 320]],
  ])("takes the rarer currency of %s and %s", (source, destination, expected) => {
    expect(paymentMethods.map((method) => spreadBps(pricing, method, [source, destination]))).toEqual(expected);
  });
});
