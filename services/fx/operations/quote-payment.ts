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

/** A payout with the quote that it names. */
export interface QuotedPayment extends QuoteRequest {
  destinationCountry: string;
  quoteId: string | undefined;
  /** Nothing is stored for a preview. */
  isPreview: boolean;
}

export type QuotePayment = (payment: QuotedPayment) => Promise<Quote | undefined>;

/**
 * Checks a payment's route, whatever its quote once named, and returns its price. It only reads the quote: the write that
 * stores the payment decides which payment uses it.
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
