import { data as iso4217 } from "currency-codes";
import { DomainError } from "./errors";

/** An exact amount: whole minor units of one currency of ISO 4217, or of another asset of wallets. Built only by `money`, which checks the int64 range. */
export interface Money {
  readonly minor: bigint;
  readonly currency: string;
}

/** An exact decimal factor: mantissa / 10^scale. */
export interface Rate {
  readonly mantissa: bigint;
  readonly scale: number;
}

const maxInt64 = 2n ** 63n - 1n;
const digitsByCurrency = new Map(iso4217.map((row) => [row.code, row.digits]));

/** Number of decimals of a currency (ISO 4217), or undefined when there is no such currency. */
export const currencyDigits = (currency: string): number | undefined => digitsByCurrency.get(currency);

/** An amount of minor units; throws when it leaves the int64 range, which is a bug and never input. */
export function money(minor: bigint, currency: string): Money {
  if (minor > maxInt64 || minor < -maxInt64) throw new DomainError("INTERNAL", "amount leaves the int64 range");
  return { minor, currency };
}

/** A plain decimal number as it was written: no sign, no exponent. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const decimalPattern = /^(0|[1-9]\d{0,39})(?:\.(\d{1,40}))?$/;

/** Reads a plain decimal (`12`, `0.50`); undefined for signs, exponents, leading zeros and anything else. */
export function parseDecimal(lexeme: string): Decimal | undefined {
  const match = decimalPattern.exec(lexeme);
  if (match === null) return undefined;
  const fraction = (match[2] ?? "").replace(/0+$/, "");
  return { digits: BigInt(`${match[1]}${fraction}`), scale: fraction.length };
}

/** Number of digits that carry value, as a caller's float would show them. */
export function significantDigits({ digits, scale }: Decimal): number {
  const all = digits.toString();
  return scale === 0 ? all.replace(/0+$/, "").length || 1 : all.length;
}

/** The decimal as minor units, or undefined when it has more decimals than the currency. */
export function exactMinor({ digits, scale }: Decimal, currencyScale: number): bigint | undefined {
  return scale > currencyScale ? undefined : digits * 10n ** BigInt(currencyScale - scale);
}

/** Divides and rounds half to even (IEEE 754 roundTiesToEven); both must not be negative. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const roundsUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return roundsUp ? quotient + 1n : quotient;
}

/** A decimal as minor units of a currency, rounded once, half to even. */
export const roundedMinor = ({ digits, scale }: Decimal, currencyScale: number): bigint =>
  divideHalfEven(digits * 10n ** BigInt(currencyScale), 10n ** BigInt(scale));

/** A fraction with which two amounts can be compared without rounding. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** `amount` x `rate` in minor units of the destination currency, before any rounding. */
export function exactConversion(amount: Money, rate: Rate, destinationDigits: number): Fraction {
  const sourceDigits = requireDigits(amount.currency);
  return {
    numerator: amount.minor * rate.mantissa * 10n ** BigInt(destinationDigits),
    denominator: 10n ** BigInt(sourceDigits + rate.scale),
  };
}

/** Number of decimals of a currency that is known to exist. */
export function requireDigits(currency: string): number {
  const digits = currencyDigits(currency);
  if (digits === undefined) throw new DomainError("INTERNAL", "currency is not in ISO 4217");
  return digits;
}

/** Plain decimal of an amount with no needless zeros (`10.5`, `1050`): valid as a JSON number. */
export function formatMoney({ minor, currency }: Money): string {
  return formatDecimal({ digits: minor, scale: requireDigits(currency) });
}

/** Plain decimal text with no needless zeros; the digits must not be negative. */
export function formatDecimal({ digits, scale }: Decimal): string {
  if (scale === 0) return digits.toString();
  const padded = digits.toString().padStart(scale + 1, "0");
  const fraction = padded.slice(-scale).replace(/0+$/, "");
  const whole = padded.slice(0, -scale);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/** True when both decimals have the same value, however they were written. */
export const sameDecimal = (a: Decimal, b: Decimal): boolean =>
  a.digits * 10n ** BigInt(b.scale) === b.digits * 10n ** BigInt(a.scale);
