import type { Quote } from "../domain/quote";
import { type QuoteRequest, type RoutePolicy, requireRoute } from "../domain/route";
import type { Corridors } from "../ports";
import type { QuoteStore } from "../store/quote-store";
import type { PricePair } from "./price-pair";

export interface CreateQuoteDeps {
  quotes: Pick<QuoteStore, "add">;
  corridors: Corridors;
  routes: RoutePolicy;
  pricePair: PricePair;
}

export type CreateQuote = (request: QuoteRequest) => Promise<Quote>;

/** Prices a pair and stores the quote. */
export const makeCreateQuote =
  ({ quotes, corridors, routes, pricePair }: CreateQuoteDeps): CreateQuote =>
  async (request) => {
    const { destinationCountry } = request;
    const corridor = destinationCountry === undefined ? undefined : await corridors.find(destinationCountry);
    requireRoute(routes, request, corridor);
    const quote = pricePair(request);
    await quotes.add(quote);
    return quote;
  };
