import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { customerRate } from "../../services/fx/domain/pricing";
import { convert, leastAmount } from "../../services/payment/domain/conversion";
import { exactConversion, money, type Rate, requireDigits } from "../../services/shared/kernel/money";

const packs = join(__dirname, "../../services/schema/packs");
/** The least spread that is quoted, in basis points. */
const leastSpread = 60;
/** Below this no amount is refused as too large. */
const most = 2n ** 62n;

/** The money of every corridor, as the packs of the schema service have it. */
function corridorCurrencies(): string[] {
  const read = (file: string) => JSON.parse(readFileSync(join(packs, file), "utf8")) as { currencies: string[] };
  return [...new Set(readdirSync(packs).flatMap((file) => read(file).currencies))].toSorted();
}

const isWithin = (minor: bigint, from: string, rate: Rate, to: string): boolean => {
  const exact = exactConversion(money(minor, from), rate, requireDigits(to));
  return exact.numerator / exact.denominator < most;
};

/** The rates of fx with the rounding of payment: together they must never pay a caller for converting money back and forth. */
it("wins nothing there and back at the least spread that is quoted", () => {
  const currency = fc.constantFrom(...corridorCurrencies());
  const published = fc.record({ digits: fc.bigInt(1n, 10n ** 12n), scale: fc.integer({ min: 3, max: 12 }) });
  const sane = published.filter(({ digits, scale }) => digits * 10n ** 8n >= 10n ** BigInt(scale));
  let tried = 0;
  fc.assert(
    fc.property(sane, sane, fc.bigInt(1n, 10n ** 10n), currency, currency, (a, b, minor, from, to) => {
      fc.pre(from !== to);
      const [there, back] = [customerRate(a, b, leastSpread), customerRate(b, a, leastSpread)];
      const [least, leastBack] = [leastAmount(from, there, to), leastAmount(to, back, from)];
      fc.pre(least !== undefined && leastBack !== undefined && minor >= least.minor);
      fc.pre(isWithin(minor, from, there, to));
      const paid = convert(money(minor, from), there, to);
      fc.pre(paid.minor >= leastBack.minor && isWithin(paid.minor, to, back, from));
      tried += 1;

      // The spread of both ways is more than rounding can give.
      expect(convert(paid, back, from).minor).toBeLessThanOrEqual(minor);
    }),
    { seed: 20_261_122, numRuns: 5_000 },
  );
  expect(tried).toBe(5_000);
});
