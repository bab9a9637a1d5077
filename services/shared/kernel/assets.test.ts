import { data as iso4217 } from "currency-codes";
import fc from "fast-check";
import { assetDigits, assetMinor, formatMinor } from "./assets";

const otherAssets = "ADA BCH BTC DAI DOGE DOT ETH EURC LTC PYUSD SOL TRX USDC USDP USDT XLM XRP".split(" ");

describe("assetDigits", () => {
  it("knows every currency of ISO 4217 by its own digits", () => {
    expect(iso4217.map(({ code }) => assetDigits(code))).toEqual(iso4217.map(({ digits }) => digits));
    expect([assetDigits("JPY"), assetDigits("USD"), assetDigits("KWD")]).toEqual([0, 2, 3]);
  });

  it("knows other assets, none of which is a currency or has more than 8 decimals", () => {
    const codes = new Set(iso4217.map(({ code }) => code));

    expect(otherAssets.filter((code) => codes.has(code))).toEqual([]);
    expect(otherAssets.filter((code) => (assetDigits(code) ?? 99) > 8)).toEqual([]);
    expect(["usd", "XBT1", "", "constructor"].map(assetDigits)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("formatMinor", () => {
  it("writes what assetMinor reads, for every amount that an account can hold", () => {
    const amount = fc.bigInt(-(2n ** 63n - 1n), 2n ** 63n - 1n);
    fc.assert(
      fc.property(amount, fc.constantFrom("USD", "JPY", "KWD", "BTC", "USDC"), (minor, asset) => {
        const text = formatMinor(minor, asset);
        const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
        const digits = BigInt(`${sign}${whole}${fraction}`);

        expect(text).not.toMatch(/\.\d*0$/);
        expect(digits * 10n ** BigInt((assetDigits(asset) ?? 0) - fraction.length)).toBe(minor);
      }),
      { seed: 20_261_124 },
    );
    expect(assetMinor({ digits: 1n, scale: 8 }, "BTC")).toBe(1n);
    expect(assetMinor({ digits: 1n, scale: 3 }, "USD")).toBeUndefined();
  });
});
