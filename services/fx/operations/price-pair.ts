import { type Clock, plusMs } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { Ids } from "../../shared/ids";
import { customerRate, type Pricing, parity, spreadBps } from "../domain/pricing";
import type { Quote } from "../domain/quote";
import type { QuoteRequest } from "../domain/route";
import type { RateSource } from "../ports";

export interface PricePairDeps {
  rates: RateSource;
  pricing: Pricing;
  ttlSeconds: number;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export type PricePair = (request: QuoteRequest) => Quote;

/** Prices a pair, and stores nothing. Throws NO_ROUTE where there is no rate, and UNAVAILABLE while the rates are too old. */
export const makePricePair =
  ({ rates, pricing, ttlSeconds, clock, ids }: PricePairDeps): PricePair =>
  ({ tenant, agentId, sourceCurrency, destinationCurrency, paymentMethod, destinationCountry }) => {
    const { table, source: rateSource, readAt } = rates.current();
    const source = table.perUsd(sourceCurrency);
    const destination = table.perUsd(destinationCurrency);
    if (source === undefined || destination === undefined) {
      throw new DomainError("NO_ROUTE", "there is no rate between these currencies");
    }
    const isSame = sourceCurrency === destinationCurrency;
    const bps = isSame ? 0 : spreadBps(pricing, paymentMethod, [sourceCurrency, destinationCurrency]);
    const createdAt = clock.now();
    return {
      id: ids.uuid(),
      tenant,
      agentId,
      sourceCurrency,
      destinationCurrency,
      paymentMethod,
      destinationCountry,
      rate: isSame ? parity : customerRate(source, destination, bps),
      midRate: isSame ? parity : customerRate(source, destination, 0),
      spreadBps: bps,
      rateDate: table.date,
      rateSource,
      rateReadAt: readAt,
      createdAt,
      expiresAt: plusMs(createdAt, ttlSeconds * 1_000),
    };
  };
