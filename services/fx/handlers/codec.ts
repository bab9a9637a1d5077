import type { CreateQuoteRequest, QuoteDetail, Quote as WireQuote } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { MarketState } from "../../../proto/gen/corridor/fx/v1/rate_service";
import { DomainError, invalid } from "../../shared/kernel/errors";
import type { Market } from "../domain/market";
import { paymentMethods } from "../domain/pricing";
import { isExpired, type Quote } from "../domain/quote";
import type { QuoteRequest } from "../domain/route";
import type { Span } from "../ports";

/** Checks currencies. Throws INVALID_ARGUMENT with a violation for each malformed currency code. */
export function requireCurrencies(pair: Pick<CreateQuoteRequest, "sourceCurrency" | "destinationCurrency">): void {
  const codes = { sourceCurrencyCode: pair.sourceCurrency, destinationCurrencyCode: pair.destinationCurrency };
  const violations = Object.entries(codes)
    .filter(([, code]) => !/^[A-Z]{3}$/.test(code))
    .map(([field]) => ({ field, message: "must be an ISO 4217 code, three capital letters" }));
  if (violations.length > 0) throw invalid(violations);
}

/** Reads a request for a quote. Violations name the REST fields, which are what the caller sent. */
export function decodeQuoteRequest(request: CreateQuoteRequest): QuoteRequest {
  requireCurrencies(request);
  const paymentMethod = paymentMethods.find((method) => method === request.paymentMethod);
  if (paymentMethod === undefined) {
    throw new DomainError("PAYMENT_METHOD_UNKNOWN", `paymentMethod must be one of ${paymentMethods.join(", ")}`);
  }
  const { tenant, agentId, sourceCurrency, destinationCurrency, destinationCountry, amountMinor } = request;
  if (amountMinor !== undefined && amountMinor < 0n) {
    throw invalid([{ field: "sourceCurrencyAmount", message: "must not be negative" }]);
  }
  return { tenant, agentId, sourceCurrency, destinationCurrency, paymentMethod, destinationCountry, amountMinor };
}

export function encodeQuote(quote: Quote): WireQuote {
  const { id, sourceCurrency, destinationCurrency, rate, midRate, expiresAt } = quote;
  return { quoteId: id, sourceCurrency, destinationCurrency, rate, midRate, expiresAt };
}

/** The quote and the origin of its rate, as of `at`. */
export function encodeQuoteDetail(quote: Quote, at: Date): QuoteDetail {
  const { paymentMethod, midRate, spreadBps, createdAt, destinationCountry } = quote;
  const { rateDate, rateSource, rateReadAt, rateSnapshot, legs } = quote;
  return {
    quote: encodeQuote(quote),
    paymentMethod,
    destinationCountry,
    midRate,
    spreadBps,
    rateDate,
    rateSource,
    rateReadAt,
    rateSnapshot,
    legs: legs.map(({ currency, perUsd, readings }) => ({ currency, perUsd, readings: [...readings] })),
    createdAt,
    isExpired: isExpired(quote, at),
  };
}

/** The market as operators see it. */
export function encodeMarket({ snapshot, readAt, sources, reference, rates }: Market): MarketState {
  return {
    snapshot,
    readAt,
    sources: [...sources],
    referenceDate: reference?.date,
    rates: rates.map(({ currency, accepted, hold }) => ({
      currency,
      perUsd: accepted?.perUsd,
      asOf: accepted?.asOf,
      referencePerUsd: reference?.perUsd[currency],
      hold: hold && { ...hold, readings: [...hold.readings] },
    })),
  };
}

/** Reads a span. Throws INVALID_ARGUMENT for an end that is absent. */
export function decodeSpan({ from, until }: { from?: Date | undefined; until?: Date | undefined }): Span {
  if (from !== undefined && until !== undefined) return { from, until };
  const absent = Object.entries({ from, until }).filter(([, instant]) => instant === undefined);
  throw invalid(absent.map(([field]) => ({ field, message: "is required" })));
}
