import type { Clock } from "../../shared/kernel/clock";
import { movesOf } from "../domain/exposure";
import { type Quote, requireFit } from "../domain/quote";
import { type QuoteRequest, type RoutePolicy, requireRoute } from "../domain/route";
import type { Corridors, ExposureRoom } from "../ports";
import type { QuoteStore } from "../store/quote-store";
import type { PricePair } from "./price-pair";

export interface QuotePaymentDeps {
  quotes: Pick<QuoteStore, "add" | "find">;
  corridors: Corridors;
  routes: RoutePolicy;
  pricePair: PricePair;
  room: ExposureRoom;
  clock: Clock;
}

/** A payout with the quote that it names. */
export interface QuotedPayment extends QuoteRequest {
  destinationCountry: string;
  quoteId: string | undefined;
  /** By which the payment counts once; undefined when its caller does not name it. */
  paymentId: string | undefined;
  /** Nothing is stored for a preview. */
  isPreview: boolean;
}

export type QuotePayment = (payment: QuotedPayment) => Promise<Quote | undefined>;

/**
 * Checks a payment's route and the limits of exposure, whatever its quote once named, and returns its price. It only reads the quote: the
 * write that stores the payment decides which payment uses it.
 */
export const makeQuotePayment =
  (deps: QuotePaymentDeps): QuotePayment =>
  async ({ quoteId, paymentId, isPreview, ...payment }) => {
    const { quotes, corridors, routes, pricePair, room, clock } = deps;
    requireRoute(routes, payment, await corridors.find(payment.destinationCountry));
    const named = quoteId === undefined ? undefined : await quotes.find(payment.tenant, quoteId);
    if (quoteId !== undefined) requireFit(named, payment, clock.now());
    else if (payment.sourceCurrency === payment.destinationCurrency) return undefined;
    const quote = named ?? pricePair(payment);
    const moves = movesOf(quote, payment.amountMinor);
    if (isPreview) await room.require(moves);
    else await room.take(paymentId ?? quote.id, moves);
    if (named === undefined && !isPreview) await quotes.add(quote);
    return quote;
  };
