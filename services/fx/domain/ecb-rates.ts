import { SaxesParser } from "saxes";
import { currencyDigits, type Decimal, formatDecimal, parseDecimal } from "../../shared/kernel/money";
import type { ReferenceRates } from "./market";

/** Decimals of a rate obtained by division. */
const quotientScale = 20;

/**
 * Reads the European Central Bank's daily file (units per euro) as units per US dollar. Throws when the text is not such a
 * file, has no dollar, has an impossible day or rate, or lists a currency twice.
 */
export function parseEcbRates(text: string): ReferenceRates {
  const perEuro = new Map<string, Decimal>([["EUR", { digits: 1n, scale: 0 }]]);
  const days: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", () => {
    throw new Error("the reference rates are not well-formed XML");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (name !== "Cube") return;
    const { time, currency, rate } = attributes;
    if (time !== undefined) days.push(time);
    if (currency === undefined) return;
    const decimal = parseDecimal(rate ?? "");
    if (decimal === undefined || decimal.digits === 0n || perEuro.has(currency)) {
      throw new Error(`the reference rates have no usable rate for ${currency}`);
    }
    if (currencyDigits(currency) !== undefined) perEuro.set(currency, decimal);
  });
  parser.write(text.replace(/^\uFEFF/, "")).close();
  const [date = "", ...more] = days;
  const dollar = perEuro.get("USD");
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)) || more.length > 0) {
    throw new Error("the reference rates are not of one day");
  }
  if (dollar === undefined) throw new Error("the reference rates have no US dollar");
  const perUsd = [...perEuro].map(([currency, rate]) => [currency, formatDecimal(divide(rate, dollar))] as const);
  return { date, perUsd: Object.fromEntries<string>(perUsd) };
}

function divide(dividend: Decimal, divisor: Decimal): Decimal {
  const digits =
    (dividend.digits * 10n ** BigInt(divisor.scale + quotientScale)) / (divisor.digits * 10n ** BigInt(dividend.scale));
  return { digits, scale: quotientScale };
}
