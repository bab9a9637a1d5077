import { readJson, writeJson } from "./json.ts";

describe("JSON of the client", () => {
  it("keeps the digits of amounts in both directions", () => {
    const text =
      '{"amount":{"total":12345678901234.10,"currency":"USD"},"conversionRate":5.1000000000000000001,"page":3}';
    const value = readJson(text);

    expect(value).toEqual({
      amount: { total: "12345678901234.10", currency: "USD" },
      conversionRate: "5.1000000000000000001",
      page: 3,
    });
    expect(writeJson(value)).toBe(text);
  });

  it("leaves what is the caller's own as it is", () => {
    const text =
      '{"amount":5.10,"metadata":{"amount":"5.10","total":7,"deep":{"limit":[1.5]}},"additionalData":{"total":"3"}}';
    const value = readJson(text);

    expect(value).toMatchObject({ amount: "5.10", metadata: { amount: "5.10", total: 7, deep: { limit: [1.5] } } });
    expect(writeJson(value)).toBe(text);
  });

  it("refuses a float where an amount stands, by its path, and what is no number", () => {
    expect(() => writeJson({ amount: { total: 0.1 + 0.2 } })).toThrow("amount.total is a float");
    expect(() => writeJson({ amount: "1e3" })).toThrow("no plain decimal");
    expect(() => writeJson({ amount: "1,000" })).toThrow("no plain decimal");
  });

  it("writes minor units that are bigints, leaves out what is undefined and keeps null", () => {
    expect(writeJson({ amount: 10n, balance: null, total: undefined })).toBe('{"amount":10,"balance":null}');
  });
});
