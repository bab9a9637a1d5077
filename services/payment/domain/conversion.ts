import { DomainError } from "../../shared/errors";
import {
  divideHalfEven,
  exactConversion,
  type Money,
  money,
  type Rate,
  requireDigits,
  sameDecimal,
} from "../../shared/money";
import type { PayoutOrder } from "./payment-request";

/** A quote that this payment has claimed. */
export interface ClaimedQuote {
  quoteId: string;
  sourceCurrency: string;
  destinationCurrency: string;
  rate: Rate;
  /** The market's own rate; what ours is worse is the platform's margin. */
  midRate: Rate;
}

/** The rate between equal currencies. */
export const parity: Rate = { mantissa: 1n, scale: 0 };

/**
 * The amount that the recipient gets: the lower of what the caller sent and the exact product rounded half to even.
 * Throws QUOTE_MISMATCH when pair or rate differ, or when the sent amount is a whole minor unit or more off the product;
 * with amount 0 only 0 passes. A payment that the platform prices gets the product, whatever its caller wrote.
 */
export function payoutAmount(amount: Money, order: PayoutOrder, quote: ClaimedQuote | undefined): Money {
  const { recipientAmount, exchangeRate } = order;
  const rate = quote?.rate ?? parity;
  if (order.isIndicative) return convert(amount, rate, recipientAmount.currency);
  if (quote !== undefined) requirePair(amount, order, quote);
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

/** What a rate makes of an amount in another currency, rounded half to even. */
export function convert(amount: Money, rate: Rate, currency: string): Money {
  const exact = exactConversion(amount, rate, requireDigits(currency));
  return money(divideHalfEven(exact.numerator, exact.denominator), currency);
}

/**
 * What of an amount the platform keeps for itself by paying less than the market's rate: minor units of the amount's own
 * currency, rounded half to even.
 */
export function marginMinor({ minor }: Money, quote: ClaimedQuote | undefined): bigint {
  if (quote === undefined) return 0n;
  const { rate, midRate } = quote;
  const ours = rate.mantissa * 10n ** BigInt(midRate.scale);
  const market = midRate.mantissa * 10n ** BigInt(rate.scale);
  return market > ours ? divideHalfEven(minor * (market - ours), market) : 0n;
}

function requirePair(amount: Money, { recipientAmount }: PayoutOrder, quote: ClaimedQuote): void {
  if (amount.currency !== quote.sourceCurrency)
    throw mismatch("amount.currency", "differs from the quote's source currency");
  if (recipientAmount.currency !== quote.destinationCurrency) {
    throw mismatch("recipientAmount.currency", "differs from the quote's destination currency");
  }
}

const mismatch = (field: string, message: string): DomainError =>
  new DomainError("QUOTE_MISMATCH", `${field} ${message}`, { violations: [{ field, message }] });
