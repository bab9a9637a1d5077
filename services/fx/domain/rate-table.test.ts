import { readFileSync } from "node:fs";
import { parseRateTable } from "./rate-table";

describe("parseRateTable", () => {
  it("takes every digit from the text", () => {
    const table = parseRateTable('{"date":"2026-01-02","usd":{"usd":1,"eur":0.12345678901234567890123,"brl":5.20}}');

    expect(table.date).toBe("2026-01-02");
    expect(table.perUsd("EUR")).toEqual({ digits: 12345678901234567890123n, scale: 23 });
    expect(table.perUsd("BRL")).toEqual({ digits: 52n, scale: 1 });
  });

  it("has no crypto assets and no currency that the text lacks", () => {
    const table = parseRateTable('{"date":"2026-01-02","usd":{"usd":1,"btc":0.00001}}');

    expect(table.perUsd("BTC")).toBeUndefined();
    expect(table.perUsd("EUR")).toBeUndefined();
    expect(table.perUsd("__proto__")).toBeUndefined();
  });

  it("reads the form with a base and seconds, and the instant in the dated form", () => {
    const based = parseRateTable('{"base":"USD","timestamp":1767355200,"rates":{"USD":1,"BRL":5.20}}');
    const dated = parseRateTable('{"date":"2026-01-02","at":"2026-01-02T11:59:00Z","usd":{"usd":1}}');

    expect(based).toMatchObject({ date: "2026-01-02", at: new Date("2026-01-02T12:00:00Z") });
    expect(based.perUsd("BRL")).toEqual({ digits: 52n, scale: 1 });
    expect(dated.at).toEqual(new Date("2026-01-02T11:59:00Z"));
  });

  it.each([
    '{"base":"EUR","timestamp":1767355200,"rates":{"USD":1,"BRL":5}}',
    '{"base":"USD","rates":{"USD":1,"BRL":5}}',
    '{"base":"USD","timestamp":1767355200.5,"rates":{"USD":1}}',
    '{"base":"USD","timestamp":1767355200,"rates":{"BRL":5}}',
    '{"date":"2026-01-02","at":"yesterday","usd":{"usd":1}}',
    '{"date":"2026-01-02","usd":{"usd":0.1}}',
    '{"usd":{"usd":1}}',
    '{"date":"2026-01-02"}',
    '{"date":"2026-01-02","eur":{"eur":1}}',
    '{"date":"2026-01-02","usd":{"usd":1,"eur":0}}',
    '{"date":"2026-01-02","usd":{"usd":1,"eur":1e-3}}',
    '{"date":"2026-01-02","usd":{"usd":2}}',
  ])("refuses %s", (text) => {
    expect(() => parseRateTable(text)).toThrow("rate table");
  });

  it("reads the table of the installed package", () => {
    const table = parseRateTable(
      readFileSync(require.resolve("@fawazahmed0/currency-api/v1/currencies/usd.json"), "utf8"),
    );

    for (const currency of ["USD", "EUR", "GBP", "BRL", "JPY", "KWD"]) expect(table.perUsd(currency)).toBeDefined();
  });
});
