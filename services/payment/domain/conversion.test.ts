import fc from "fast-check";
import { money } from "../../shared/money";
import { type BoundQuote, convert, marginMinor } from "./conversion";

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

        // Half a unit of rounding on each side, the one on the left worth up to `mid` on the right.
        const difference = paid * 10_000n - (minor - kept) * mid;
        expect(difference <= 5_000n + mid / 2n + 1n && difference >= -5_000n - mid / 2n - 1n).toBe(true);
      }),
      { seed: 20_261_121, numRuns: 2_000 },
    );
  });
});
