import fc from "fast-check";
import {
  currencyDigits,
  divideHalfEven,
  exactConversion,
  exactMinor,
  formatMoney,
  money,
  parseDecimal,
  roundedMinor,
  sameDecimal,
  significantDigits,
} from "./money";

const decimal = (text: string) => {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new Error(`${text} is no decimal`);
  return parsed;
};

describe("money", () => {
  it("knows the digits of ISO 4217", () => {
    const digits = ["JPY", "KRW", "USD", "BRL", "KWD", "BHD"].map(currencyDigits);

    expect(digits).toEqual([0, 0, 2, 2, 3, 3]);
    expect(currencyDigits("XXY")).toBeUndefined();
  });

  it("refuses an amount beyond int64, which BSON would silently turn negative", () => {
    expect(() => money(2n ** 63n, "USD")).toThrow("int64");
    expect(money(2n ** 63n - 1n, "USD").minor).toBe(9_223_372_036_854_775_807n);
  });

  it.each(["-1", "+1", "1e3", "1E2", "01", "1.", ".5", "", "NaN", " 1", "1,5", "0x10", "1".repeat(41)])(
    "does not read %p as a plain decimal",
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );

  it("reads an amount exactly or not at all", () => {
    expect(exactMinor(decimal("10.50"), 2)).toBe(1050n);
    expect(exactMinor(decimal("9007199254740993"), 2)).toBe(900719925474099300n);
    expect(exactMinor(decimal("1.005"), 2)).toBeUndefined();
    expect(exactMinor(decimal("1.5"), 0)).toBeUndefined();
  });

  it("rounds a caller's float once, half to even", () => {
    const rounded = ["543.2100000000001", "0.125", "0.135", "2.5"].map((text) => roundedMinor(decimal(text), 2));

    expect(rounded).toEqual([54321n, 12n, 14n, 250n]);
  });

  it("counts the digits that carry value", () => {
    expect(["0.1", "100", "5.43", "543.2100000000001"].map((text) => significantDigits(decimal(text)))).toEqual([
      1, 1, 3, 16,
    ]);
  });

  it("writes what it read, without needless zeros", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 63n - 1n), fc.constantFrom("USD", "JPY", "KWD"), (minor, currency) => {
        const text = formatMoney(money(minor, currency));
        expect(exactMinor(decimal(text), currencyDigits(currency) ?? 0)).toBe(minor);
        expect(text).not.toMatch(/\.\d*0$/);
      }),
    );
  });

  it("rounds to the nearest, and a tie to the even neighbour", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.bigInt(1n, 10n ** 15n), (dividend, divisor) => {
        const twiceError = (divideHalfEven(dividend, divisor) * divisor - dividend) * 2n;
        const size = twiceError < 0n ? -twiceError : twiceError;
        expect(size <= divisor).toBe(true);
        if (size === divisor) expect(divideHalfEven(dividend, divisor) % 2n).toBe(0n);
      }),
    );
  });

  it("converts between currencies of different digits without rounding", () => {
    const exact = exactConversion(money(1000n, "JPY"), { mantissa: 67n, scale: 4 }, 2);

    expect(exact.numerator * 100n).toBe(670n * exact.denominator * 100n);
  });

  it("compares decimals by value", () => {
    expect(sameDecimal(decimal("5.4300"), decimal("5.43"))).toBe(true);
    expect(sameDecimal(decimal("5.4301"), decimal("5.43"))).toBe(false);
  });
});
