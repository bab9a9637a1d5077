import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { customerRate, marketRate, spreadBps } from "../../services/fx/domain/pricing";
import pricing from "../../services/fx/domain/pricing.json";
import { parseRateTable } from "../../services/fx/domain/rate-table";
import { convert, leastAmount, valueAtMost } from "../../services/payment/domain/conversion";
import { type Decimal, exactConversion, money, type Rate, requireDigits } from "../../services/shared/kernel/money";

const packs = join(__dirname, "../../services/schema/packs");
const seed = 20_261_122;
/** More in `make test-long`. */
const numRuns = 8_000 * Number(process.env["RANDOM_FACTOR"] ?? "1");
const most = 2n ** 62n;

const currencies = [
  ...new Set(
    readdirSync(packs).flatMap(
      (file) => (JSON.parse(readFileSync(join(packs, file), "utf8")) as { currencies: string[] }).currencies,
    ),
  ),
].toSorted();
const table = parseRateTable(readFileSync(require.resolve("@fawazahmed0/currency-api/v1/currencies/usd.json"), "utf8"));
const usd = (currency: string): Decimal => {
  const rate = table.perUsd(currency);
  if (rate === undefined) throw new Error(`no rate of ${currency}`);
  return rate;
};
const pairs = currencies.flatMap((from) => currencies.filter((to) => to !== from).map((to) => [from, to] as const));
const quoted = (from: string, to: string): Rate =>
  customerRate(usd(from), usd(to), spreadBps(pricing, "BANK_ACCOUNT", [from, to]));

/** Twice the distance of what was paid from the exact product, in units of the exact product's denominator. */
function twiceOff(minor: bigint, from: string, rate: Rate, to: string): { off: bigint; unit: bigint } {
  const numerator = minor * rate.mantissa * 10n ** BigInt(requireDigits(to));
  const unit = 10n ** BigInt(requireDigits(from) + rate.scale);
  const paid = convert(money(minor, from), rate, to).minor * unit;
  return { off: 2n * (paid > numerator ? paid - numerator : numerator - paid), unit };
}

const currency = fc.constantFrom(...currencies);
/** Rates as they can be stored: up to 18 digits, from the smallest to the largest that there is. */
const extreme = fc.record({ mantissa: fc.bigInt(1n, 10n ** 18n - 1n), scale: fc.integer({ min: 0, max: 18 }) });
const amount = fc.oneof(fc.bigInt(0n, 1_000n), fc.bigInt(0n, 10n ** 17n));
const fits = (minor: bigint, from: string, rate: Rate, to: string): boolean => {
  const { numerator, denominator } = exactConversion(money(minor, from), rate, requireDigits(to));
  return numerator / denominator < most;
};

describe("conversion between the currencies of all corridors", () => {
  it("has a rate for every pair, and pays no more than half a minor unit off the exact product", () => {
    expect(currencies.length).toBeGreaterThan(90);
    const wrong = pairs.filter(([from, to]) => {
      const rate = quoted(from, to);
      return [1n, 99n, 12_345n, 999_999_999n].some((minor) => {
        const { off, unit } = twiceOff(minor, from, rate, to);
        return off > unit;
      });
    });

    expect(wrong).toEqual([]);
  });

  it("never pays more than the market's rate gives, but for what rounding adds: half a minor unit", () => {
    const wrong = pairs.filter(([from, to]) => {
      const rate = quoted(from, to);
      const market = marketRate(usd(from), usd(to));
      return [50n, 777n, 1_000_003n].some(
        (minor) => convert(money(minor, from), rate, to).minor > valueAtMost(money(minor, from), market, to).minor,
      );
    });

    expect(wrong).toEqual([]);
  });

  it("gives nobody more than was there, there and back, over every pair, from the least amount up", () => {
    const wrong = pairs.filter(([from, to]) => {
      const [there, back] = [quoted(from, to), quoted(to, from)];
      const least = leastAmount(from, there, to);
      if (least === undefined) return true;
      return [1n, 2n, 7n, 1_001n].some((times) => {
        const start = money(least.minor * times, from);
        const paid = convert(start, there, to);
        const leastBack = leastAmount(to, back, from);
        if (leastBack === undefined || paid.minor < leastBack.minor) return false;
        return convert(paid, back, from).minor > start.minor;
      });
    });

    expect(wrong).toEqual([]);
  });

  it("is exact at extreme rates: what is paid is within half a minor unit", () => {
    fc.assert(
      fc.property(amount, currency, currency, extreme, (minor, from, to, rate) => {
        fc.pre(fits(minor, from, rate, to));
        const { off, unit } = twiceOff(minor, from, rate, to);

        expect(off <= unit).toBe(true);
      }),
      { seed, numRuns },
    );
  });

  it("is monotonic: neither more money nor a better rate ever pays less", () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        currency,
        currency,
        extreme,
        fc.bigInt(0n, 10n ** 9n),
        (a, b, from, to, rate, more) => {
          const better = { ...rate, mantissa: rate.mantissa + more };
          fc.pre(fits(a + b, from, better, to));
          const paid = convert(money(a, from), rate, to).minor;

          expect(convert(money(a + b, from), rate, to).minor).toBeGreaterThanOrEqual(paid);
          expect(convert(money(a, from), better, to).minor).toBeGreaterThanOrEqual(paid);
        },
      ),
      { seed, numRuns },
    );
  });

  it("makes no money by splitting: no part gains more than half a minor unit, and that is 1 % of the part at most", () => {
    const parts = fc.array(fc.bigInt(1n, 10n ** 9n), { minLength: 2, maxLength: 12 });
    let tried = 0;
    fc.assert(
      fc.property(parts, currency, currency, extreme, (minors, from, to, rate) => {
        const whole = minors.reduce((sum, minor) => sum + minor, 0n);
        const least = leastAmount(from, rate, to);
        fc.pre(least !== undefined && minors.every((minor) => minor >= least.minor) && fits(whole, from, rate, to));
        tried += 1;
        const paid = minors.map((minor) => convert(money(minor, from), rate, to).minor);
        const together = convert(money(whole, from), rate, to).minor;
        const gain = 2n * (paid.reduce((sum, minor) => sum + minor, 0n) - together);

        expect(gain).toBeLessThanOrEqual(BigInt(minors.length + 1));
        expect(paid.every((minor) => minor >= 50n)).toBe(true);
      }),
      { seed, numRuns: numRuns / 4, maxSkipsPerRun: 1_000 },
    );
    expect(tried).toBeGreaterThan(0);
  });

  it("keeps order and sum in every number of decimals from 0 to 8", () => {
    fc.assert(
      fc.property(amount, amount, currency, extreme, fc.integer({ min: 0, max: 8 }), (a, b, from, rate, digits) => {
        const product = (minor: bigint) => exactConversion(money(minor, from), rate, digits);
        const [first, second, both] = [product(a), product(b), product(a + b)];

        // Before any rounding a sum of products is the product of the sum.
        expect(first.numerator + second.numerator).toBe(both.numerator);
        expect(new Set([first.denominator, second.denominator, both.denominator]).size).toBe(1);
        const finer = exactConversion(money(a, from), rate, digits + 1);
        expect(finer.numerator * first.denominator).toBe(first.numerator * finer.denominator * 10n);
      }),
      { seed, numRuns },
    );
  });
});
