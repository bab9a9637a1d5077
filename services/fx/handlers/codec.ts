import type { CreateQuoteRequest, QuoteDetail, Quote as WireQuote } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { DomainError, invalid } from "../../shared/errors";
import { paymentMethods } from "../domain/pricing";
import { type Quote, useOf } from "../domain/quote";
import type { QuoteRequest } from "../domain/route";

/** Violations carry the names of the REST fields, since that is where a caller can mend them. */
export function decodeQuoteRequest(request: CreateQuoteRequest): QuoteRequest {
  const codes = {
    sourceCurrencyCode: request.sourceCurrency,
    destinationCurrencyCode: request.destinationCurrency,
  };
  const violations = Object.entries(codes)
    .filter(([, code]) => !/^[A-Z]{3}$/.test(code))
    .map(([field]) => ({ field, message: "must be an ISO 4217 code, three capital letters" }));
  if (violations.length > 0) throw invalid(violations);
  const paymentMethod = paymentMethods.find((method) => method === request.paymentMethod);
  if (paymentMethod === undefined) {
    throw new DomainError("PAYMENT_METHOD_UNKNOWN", `paymentMethod must be one of ${paymentMethods.join(", ")}`);
  }
  const { tenant, agentId, sourceCurrency, destinationCurrency, destinationCountry } = request;
  return { tenant, agentId, sourceCurrency, destinationCurrency, paymentMethod, destinationCountry };
}

export function encodeQuote(quote: Quote): WireQuote {
  const { id, sourceCurrency, destinationCurrency, rate, midRate, expiresAt } = quote;
  return { quoteId: id, sourceCurrency, destinationCurrency, rate, midRate, expiresAt };
}

/** The quote and what it was made of, as of `at`. */
export function encodeQuoteDetail(quote: Quote, at: Date): QuoteDetail {
  const { paymentMethod, midRate, spreadBps, rateDate, createdAt, paymentId } = quote;
  return {
    quote: encodeQuote(quote),
    paymentMethod,
    midRate,
    spreadBps,
    rateDate,
    createdAt,
    use: useOf(quote, at),
    paymentId,
  };
}
