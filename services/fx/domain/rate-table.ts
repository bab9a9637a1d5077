import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import { parseJsonObject } from "../../shared/kernel/json";
import { currencyDigits, type Decimal, parseDecimal } from "../../shared/kernel/money";

/** Mid-market rates of one day, exactly as published. */
export interface RateTable {
  /** Day of the rates, `YYYY-MM-DD`. */
  date: string;
  /** Instant of the rates, when the table gives one. */
  at: Date | undefined;
  /** Every currency in the table, in units for one US dollar. */
  rates: ReadonlyMap<string, Decimal>;
  /** Units of the currency for one US dollar, or undefined when the table has none. */
  perUsd(currency: string): Decimal | undefined;
}

/** The installed table is about 10 KB and trusted: the limits only catch a wrong file. */
const tableLimits = { depth: 2, keys: 2_000, stringLength: 64, arrayLength: 0, keyLength: 64, pathLength: 128 };

/**
 * Reads a table `{date, at?, usd: {<lower-case code>: <number>}}`, or the form `{base: "USD", timestamp, rates: {<code>:
 * <number>}}` with seconds since 1970. Numbers are parsed from the text, without floats. Codes outside ISO 4217 (crypto
 * assets, withdrawn currencies) are left out. Throws when the text has another form or base.
 */
export function parseRateTable(text: string): RateTable {
  const { value, numbers } = parseJsonObject(text, tableLimits);
  const isDated = value["usd"] !== undefined;
  const at = isDated ? instantOf(value["at"]) : secondsOf(numbers.get("timestamp"));
  const date = isDated ? value["date"] : at?.toISOString().slice(0, 10);
  if (typeof date !== "string" || !/^\d{4}-\d\d-\d\d$/.test(date)) throw new Error("the rate table has no date");
  if (!isDated && value["base"] !== "USD") throw new Error("the rate table is not based on the US dollar");
  const prefix = isDated ? "usd." : "rates.";
  const rates = new Map<string, Decimal>();
  for (const [path, lexeme] of numbers) {
    const code = path.startsWith(prefix) ? path.slice(prefix.length).toUpperCase() : "";
    if (currencyDigits(code) === undefined) continue;
    const rate = parseDecimal(lexeme);
    if (rate === undefined || rate.digits === 0n) throw new Error(`the rate table has no usable rate for ${code}`);
    rates.set(code, rate);
  }
  const dollar = rates.get("USD");
  if (dollar?.digits !== 1n || dollar.scale !== 0) throw new Error("the rate table is not based on the US dollar");
  return { date, at, rates, perUsd: (currency) => rates.get(currency) };
}

function instantOf(value: unknown): Date | undefined {
  if (value === undefined) return undefined;
  const isInstant = typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value);
  const ms = isInstant ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw new Error("the rate table has no valid instant");
  return plusMs(beginningOfTime, ms);
}

function secondsOf(lexeme: string | undefined): Date {
  if (lexeme === undefined || !/^\d{9,11}$/.test(lexeme)) throw new Error("the rate table has no valid instant");
  return plusMs(beginningOfTime, Number.parseInt(lexeme, 10) * 1_000);
}
