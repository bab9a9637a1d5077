import { DomainError, invalid } from "../../shared/kernel/errors";
import {
  divideHalfEven,
  exactConversion,
  formatMoney,
  type Money,
  money,
  type Rate,
  requireDigits,
  sameDecimal,
} from "../../shared/kernel/money";
import type { PayoutOrder } from "./payment-command";

/** A quote that may price a payment. */
export interface BoundQuote {
  quoteId: string;
  sourceCurrency: string;
  destinationCurrency: string;
  rate: Rate;
  /** The market's own rate; the difference between it and our rate is the platform's margin. */
  midRate: Rate;
}

/** The rate between a currency and itself. */
export const parity: Rate = { mantissa: 1n, scale: 0 };

/**
 * The least number of minor units that is converted. Rounding changes an amount by at most half a minor unit, which is one per cent of
 * this number.
 */
const leastConverted = 50n;

/**
 * Returns the amount that the recipient gets: the lower of what the caller sent and the exact product rounded half to even. Throws
 * QUOTE_MISMATCH when the rate differs, or when the sent amount differs from the product by a whole minor unit or more; with amount 0,
 * only 0 is accepted. Throws INVALID_ARGUMENT for an amount so small that rounding would change it by more than one per cent. A payment
 * that the platform prices gets the product, whatever its caller wrote.
 */
export function payoutAmount(amount: Money, order: PayoutOrder, quote: BoundQuote | undefined): Money {
  const { recipientAmount, exchangeRate } = order;
  const rate = quote?.rate ?? parity;
  requireConvertible(amount, rate, recipientAmount.currency);
  if (order.isIndicative) return convert(amount, rate, recipientAmount.currency);
  if (exchangeRate !== undefined && !sameDecimal(exchangeRate, { digits: rate.mantissa, scale: rate.scale })) {
    throw mismatch("exchangeRate", "differs from the quoted rate");
  }
  const exact = exactConversion(amount, rate, requireDigits(recipientAmount.currency));
  const sent = recipientAmount.minor * exact.denominator;
  const distance = sent > exact.numerator ? sent - exact.numerator : exact.numerator - sent;
  if (distance >= exact.denominator) {
    throw mismatch("recipientAmount.total", "must be amount.total x rate, to less than one minor unit");
  }
  const product = divideHalfEven(exact.numerator, exact.denominator);
  return money(product < recipientAmount.minor ? product : recipientAmount.minor, recipientAmount.currency);
}

/**
 * Returns the least amount that can be converted, in minor units of its own currency: it pays at least one minor unit, and rounding
 * changes it by at most one per cent. Undefined when the rate turns every amount into nothing. Equal currencies lose nothing.
 */
export function leastAmount(source: string, rate: Rate, destination: string): Money | undefined {
  const least = source === destination && sameRate(rate, parity) ? 1n : leastConverted;
  const unit = exactConversion(money(1n, source), rate, requireDigits(destination));
  if (unit.numerator === 0n) return undefined;
  const minor = divideUp(least * unit.denominator, unit.numerator);
  return minor > maxMinor ? undefined : money(minor, source);
}

/** Throws INVALID_ARGUMENT unless the amount is zero or large enough to be converted; `field` is the caller's own name for it. */
export function requireConvertible(amount: Money, rate: Rate, destination: string, field = "amount.total"): void {
  if (amount.minor === 0n) return;
  const least = leastAmount(amount.currency, rate, destination);
  if (least !== undefined && amount.minor >= least.minor) return;
  const rule = least === undefined ? "is worth nothing in" : `must be at least ${formatMoney(least)} to be paid in`;
  throw invalid([{ field, message: `${rule} ${destination}` }]);
}

const maxMinor = 2n ** 63n - 1n;
const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
const sameRate = (a: Rate, b: Rate): boolean =>
  sameDecimal({ digits: a.mantissa, scale: a.scale }, { digits: b.mantissa, scale: b.scale });

/** Returns what an amount is worth at a rate, rounded up. */
export function valueAtMost(amount: Money, rate: Rate, currency: string): Money {
  const exact = exactConversion(amount, rate, requireDigits(currency));
  return money(divideUp(exact.numerator, exact.denominator), currency);
}

/** Converts an amount to another currency at a rate, rounded half to even. */
export function convert(amount: Money, rate: Rate, currency: string): Money {
  const exact = exactConversion(amount, rate, requireDigits(currency));
  return money(divideHalfEven(exact.numerator, exact.denominator), currency);
}

/**
 * Returns the part of an amount that the platform keeps by paying less than the market's rate: minor units of the amount's own currency,
 * rounded half to even.
 */
export function marginMinor({ minor }: Money, quote: BoundQuote | undefined): bigint {
  if (quote === undefined) return 0n;
  const { rate, midRate } = quote;
  const ours = rate.mantissa * 10n ** BigInt(midRate.scale);
  const market = midRate.mantissa * 10n ** BigInt(rate.scale);
  return market > ours ? divideHalfEven(minor * (market - ours), market) : 0n;
}

const mismatch = (field: string, message: string): DomainError =>
  new DomainError("QUOTE_MISMATCH", `${field} ${message}`, { violations: [{ field, message }] });
