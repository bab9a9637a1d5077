import { type Clock, plusMs } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { Ids } from "../../shared/ids";
import { customerRate, type Pricing, parity, spreadBps } from "../domain/pricing";
import type { Quote } from "../domain/quote";
import { type QuoteRequest, type RoutePolicy, requireRoute } from "../domain/route";
import type { Corridors, RateSource } from "../ports";
import type { QuoteStore } from "../store/quote-store";

export interface CreateQuoteDeps {
  quotes: Pick<QuoteStore, "add">;
  rates: RateSource;
  corridors: Corridors;
  routes: RoutePolicy;
  pricing: Pricing;
  ttlSeconds: number;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export type CreateQuote = (request: QuoteRequest) => Promise<Quote>;

/** Prices a pair and stores the promise. */
export const makeCreateQuote =
  (deps: CreateQuoteDeps): CreateQuote =>
  async (request) => {
    const { destinationCountry } = request;
    const corridor = destinationCountry === undefined ? undefined : await deps.corridors.find(destinationCountry);
    requireRoute(deps.routes, request, corridor);
    const { tenant, sourceCurrency, destinationCurrency, paymentMethod } = request;
    const table = deps.rates.current();
    const source = table.perUsd(sourceCurrency);
    const destination = table.perUsd(destinationCurrency);
    if (source === undefined || destination === undefined) {
      throw new DomainError("NO_ROUTE", "there is no rate between these currencies");
    }
    const isSame = sourceCurrency === destinationCurrency;
    const bps = isSame ? 0 : spreadBps(deps.pricing, paymentMethod, [sourceCurrency, destinationCurrency]);
    const createdAt = deps.clock.now();
    const quote: Quote = {
      id: deps.ids.uuid(),
      tenant,
      sourceCurrency,
      destinationCurrency,
      paymentMethod,
      rate: isSame ? parity : customerRate(source, destination, bps),
      midRate: isSame ? parity : customerRate(source, destination, 0),
      spreadBps: bps,
      rateDate: table.date,
      createdAt,
      expiresAt: plusMs(createdAt, deps.ttlSeconds * 1_000),
      paymentId: undefined,
    };
    await deps.quotes.add(quote);
    return quote;
  };
