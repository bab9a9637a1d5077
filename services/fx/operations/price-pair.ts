import { type Clock, plusMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { currencyDigits, formatDecimal } from "../../shared/kernel/money";
import { classOfPair, customerRate, type Pricing, parity, spreadBps } from "../domain/pricing";
import type { Quote, QuoteBasis } from "../domain/quote";
import type { RatePolicy } from "../domain/rate-policy";
import type { QuoteRequest } from "../domain/route";
import type { MarketRates, RateLeg } from "../ports";

export interface PricePairDeps {
  rates: Pick<MarketRates, "forPromise" | "isClosed">;
  pricing: Pricing;
  policy: Pick<RatePolicy, "closedSpreadBps">;
  ttlSeconds: number;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
}

export type PricePair = (request: QuoteRequest) => Quote;

/** Prices a pair without storing anything. Throws NO_ROUTE with the reason when no rate can be promised. */
export const makePricePair =
  ({ rates, pricing, policy, ttlSeconds, clock, ids }: PricePairDeps): PricePair =>
  ({ tenant, agentId, sourceCurrency, destinationCurrency, paymentMethod, destinationCountry }) => {
    const createdAt = clock.now();
    const fixed = {
      id: ids.uuid(),
      tenant,
      agentId,
      sourceCurrency,
      destinationCurrency,
      paymentMethod,
      destinationCountry,
      createdAt,
      expiresAt: plusMs(createdAt, ttlSeconds * 1_000),
    };
    if (sourceCurrency === destinationCurrency) return { ...fixed, ...atParity(sourceCurrency, createdAt) };
    const source = rates.forPromise(sourceCurrency);
    const destination = rates.forPromise(destinationCurrency);
    const pair = [sourceCurrency, destinationCurrency] as const;
    const closedBps = rates.isClosed(createdAt) ? policy.closedSpreadBps[classOfPair(pricing, pair)] : 0;
    const bps = spreadBps(pricing, paymentMethod, pair) + closedBps;
    return {
      ...fixed,
      rate: customerRate(source.perUsd, destination.perUsd, bps),
      midRate: customerRate(source.perUsd, destination.perUsd, 0),
      spreadBps: bps,
      ...basisOf([source, destination]),
    };
  };

type Priced = Pick<Quote, "rate" | "midRate" | "spreadBps"> & QuoteBasis;

/** Equal currencies need no market. */
function atParity(currency: string, at: Date): Priced {
  if (currencyDigits(currency) === undefined) {
    throw new DomainError("NO_ROUTE", "there is no rate for this currency pair");
  }
  const rateDate = at.toISOString().slice(0, 10);
  const basis = { rateDate, rateSource: "equal currencies", rateReadAt: at, rateSnapshot: undefined, legs: [] };
  return { rate: parity, midRate: parity, spreadBps: 0, ...basis };
}

/** The origin of a cross rate, which is as old as the older of its two legs. */
function basisOf(both: readonly [RateLeg, RateLeg]): QuoteBasis {
  const told = both.filter(({ source }) => source !== "");
  const sources = new Set(told.flatMap(({ source }) => source.split(" ")));
  const [older] = (told.length === 0 ? [...both] : told).toSorted((a, b) => a.asOf.getTime() - b.asOf.getTime());
  const { date, asOf, snapshot } = older ?? both[0];
  return {
    rateDate: date,
    rateSource: [...sources].join(" "),
    rateReadAt: asOf,
    rateSnapshot: snapshot,
    legs: told
      .filter(({ readings }) => readings.length > 0)
      .map(({ currency, perUsd, readings }) => ({ currency, perUsd: formatDecimal(perUsd), readings })),
  };
}
