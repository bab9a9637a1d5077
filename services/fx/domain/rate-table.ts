import { parseJsonObject } from "../../shared/json";
import { currencyDigits, type Decimal, parseDecimal } from "../../shared/money";

/** Mid-market rates of one day, exactly as published. */
export interface RateTable {
  /** Day of the rates, `YYYY-MM-DD`. */
  date: string;
  /** Units of the currency for one US dollar, or undefined when the table has none. */
  perUsd(currency: string): Decimal | undefined;
}

/** The table is some 10 KB of our own dependencies, not input: the bounds only catch a wrong file. */
const tableLimits = { depth: 2, keys: 2_000, stringLength: 64, arrayLength: 0, keyLength: 64, pathLength: 128 };

/**
 * Reads a table `{date, usd: {<lower-case code>: <number>}}`. Numbers are taken from the text, not through floats.
 * Codes outside ISO 4217 (crypto assets, withdrawn currencies) are left out. Throws when the file has another shape.
 */
export function parseRateTable(text: string): RateTable {
  const { value, numbers } = parseJsonObject(text, tableLimits);
  const date = value["date"];
  if (typeof date !== "string" || !/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error("rate table has no date");
  const rates = new Map<string, Decimal>();
  for (const [path, lexeme] of numbers) {
    const code = path.startsWith("usd.") ? path.slice("usd.".length).toUpperCase() : "";
    if (currencyDigits(code) === undefined) continue;
    const rate = parseDecimal(lexeme);
    if (rate === undefined || rate.digits === 0n) throw new Error(`rate table has no usable rate for ${code}`);
    rates.set(code, rate);
  }
  if (rates.get("USD")?.digits !== 1n) throw new Error("rate table is not based on the US dollar");
  return { date, perUsd: (currency) => rates.get(currency) };
}
