import fc from "fast-check";
import { assetDigits } from "../../services/shared/kernel/assets.ts";
import { convert, type Decimal, decimal, digitsOf, fromMinor, money, toMinor } from "./money.ts";

describe("money", () => {
  it.each([
    ["100.1", "USD", 10010n, "100.10"],
    ["0", "USD", 0n, "0.00"],
    ["7", "KRW", 7n, "7"],
    ["1.234", "TND", 1234n, "1.234"],
    ["-0.05", "EUR", -5n, "-0.05"],
    ["5.000", "USD", 500n, "5.00"],
    ["90071992547409.93", "USD", 9007199254740993n, "90071992547409.93"],
  ] as const)("has the minor units of %s %s", (total, currency, minor, written) => {
    expect(toMinor(money(total, currency))).toBe(minor);
    expect(fromMinor(minor, currency)).toEqual({ total: written, currency });
  });

  it.each(["1e3", "1,5", " 1", "", "NaN", "Infinity", "0x10", "+1", "1.", ".5"])("refuses %j", (text) => {
    expect(() => decimal(text)).toThrow(TypeError);
  });

  it("refuses decimals that the currency has not, and currencies that nobody knows", () => {
    expect(() => money("1.001", "USD")).toThrow("more decimals");
    expect(() => money("1", "XXY")).toThrow("no currency");
  });

  it("knows the digits of every currency as the platform does", () => {
    for (const code of ["USD", "JPY", "KRW", "TND", "BHD", "CLF", "UYW", "USDC", "BTC", "ETH", "XLM", "BRL", "COP"]) {
      expect([code, digitsOf(code)]).toEqual([code, assetDigits(code)]);
    }
  });

  it("comes back from any number of minor units", () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(2n ** 62n), 2n ** 62n),
        fc.constantFrom("USD", "KRW", "TND", "BTC"),
        (minor, currency) => {
          expect(toMinor(fromMinor(minor, currency))).toBe(minor);
        },
      ),
    );
  });
});

describe("a conversion", () => {
  it.each([
    ["100", "USD", "5.2242", "BRL", "522.42"],
    ["0.01", "USD", "0.5", "EUR", "0.00"],
    ["0.03", "USD", "0.5", "EUR", "0.02"],
    ["0.05", "USD", "0.5", "EUR", "0.02"],
    ["1", "USD", "1325.5", "KRW", "1326"],
    ["1", "USD", "1324.5", "KRW", "1324"],
    ["7", "KRW", "0.00075", "USD", "0.01"],
  ] as const)("of %s %s at %s is rounded half to even: %s %s", (total, from, rate, to, expected) => {
    expect(convert(money(total, from), rate, to)).toEqual({ total: expected, currency: to });
  });

  it("is exact where floats are not", () => {
    const rate: Decimal = "5.123456789";

    expect(convert(money("999999999999.99", "USD"), rate, "BRL").total).toBe("5123456788999.95");
  });
});
