import { movesOf } from "../domain/exposure";
import type { Quote } from "../domain/quote";
import { type QuoteRequest, type RoutePolicy, requireRoute } from "../domain/route";
import type { Corridors, ExposureRoom } from "../ports";
import type { QuoteStore } from "../store/quote-store";
import type { PricePair } from "./price-pair";

export interface CreateQuoteDeps {
  quotes: Pick<QuoteStore, "add">;
  corridors: Corridors;
  routes: RoutePolicy;
  pricePair: PricePair;
  room: Pick<ExposureRoom, "require">;
}

export type CreateQuote = (request: QuoteRequest) => Promise<Quote>;

/** Prices a pair and stores the quote. It promises a rate, and no room: the payment is compared with the limits again. */
export const makeCreateQuote =
  ({ quotes, corridors, routes, pricePair, room }: CreateQuoteDeps): CreateQuote =>
  async (request) => {
    const { destinationCountry } = request;
    const corridor = destinationCountry === undefined ? undefined : await corridors.find(destinationCountry);
    requireRoute(routes, request, corridor);
    const quote = pricePair(request);
    await room.require(movesOf(quote, request.amountMinor));
    await quotes.add(quote);
    return quote;
  };
