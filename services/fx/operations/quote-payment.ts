import type { Clock } from "../../shared/kernel/clock";
import { type Quote, requireFit } from "../domain/quote";
import { type QuoteRequest, type RoutePolicy, requireRoute } from "../domain/route";
import type { Corridors } from "../ports";
import type { QuoteStore } from "../store/quote-store";
import type { PricePair } from "./price-pair";

export interface QuotePaymentDeps {
  quotes: Pick<QuoteStore, "add" | "find">;
  corridors: Corridors;
  routes: RoutePolicy;
  pricePair: PricePair;
  clock: Clock;
}

/** A payment that pays out, with the quote that it names. */
export interface QuotedPayment extends QuoteRequest {
  destinationCountry: string;
  quoteId: string | undefined;
  /** Nothing is stored. */
  isPreview: boolean;
}

export type QuotePayment = (payment: QuotedPayment) => Promise<Quote | undefined>;

/**
 * Lets a payment pass along its route, whatever its quote once named, and says what prices it. A quote is only read: that
 * one payment uses it is decided where payments are stored.
 */
export const makeQuotePayment =
  ({ quotes, corridors, routes, pricePair, clock }: QuotePaymentDeps): QuotePayment =>
  async ({ quoteId, isPreview, ...payment }) => {
    requireRoute(routes, payment, await corridors.find(payment.destinationCountry));
    if (quoteId !== undefined) {
      const named = await quotes.find(payment.tenant, quoteId);
      requireFit(named, payment, clock.now());
      return named;
    }
    if (payment.sourceCurrency === payment.destinationCurrency) return undefined;
    const quote = pricePair(payment);
    if (!isPreview) await quotes.add(quote);
    return quote;
  };
