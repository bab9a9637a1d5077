import { currencyDigits, exactMinor, parseDecimal } from "../services/shared/kernel/money";

/** Number of decimals of a currency. */
export const digitsOf = (currency: string): number => currencyDigits(currency) ?? 2;

/** Decimal text as minor units; undefined when it is not an amount of that currency. */
export function minorOf(amount: string, currency: string): bigint | undefined {
  const decimal = currencyDigits(currency) === undefined ? undefined : parseDecimal(amount);
  return decimal && exactMinor(decimal, digitsOf(currency));
}

/** Minor units of an amount that was validated on arrival. */
export function requireMinor(amount: string, currency: string): bigint {
  const minor = minorOf(amount, currency);
  if (minor === undefined) throw new Error("the book holds an amount that its currency cannot express");
  return minor;
}
