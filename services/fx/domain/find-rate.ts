import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Decimal } from "../../shared/kernel/money";
import type { HoldReason, Market, Reading } from "./market";
import { openMsBetween } from "./market-hours";
import type { RatePolicy } from "./rate-policy";
import { decimalOf, isCurrent } from "./settle-round";

export interface FoundRate {
  currency: string;
  perUsd: Decimal;
  date: string;
  asOf: Date;
  snapshot: string;
  readings: readonly Reading[];
  source: string;
}

export interface FreshnessRules {
  policy: RatePolicy;
  /** Counts only time in which markets are open. */
  maxAgeMs: number;
}

const words: Readonly<Record<HoldReason, string>> = {
  DISAGREEMENT: "its sources disagree",
  REFERENCE: "it is far from the reference rate",
  JUMP: "it has moved too far at once",
};

const noRate = (message: string): DomainError => new DomainError("NO_ROUTE", message);

/** The accepted rate of a currency. Throws NO_ROUTE with the reason when the rate is held, too old or missing. */
export function rateToPromise(market: Market, currency: string, at: Date, rules: FreshnessRules): FoundRate {
  if (currency === "USD") return dollar(market, at);
  const rate = market.rates.find((one) => one.currency === currency);
  if (rate?.hold !== undefined) throw noRate(`the rate of ${currency} is held: ${words[rate.hold.reason]}`);
  const found = accepted(market, currency, at, rules);
  if (found === undefined && rate?.accepted !== undefined) throw noRate(`the rate of ${currency} is out of date`);
  if (found === undefined) throw noRate(`no source has a rate for ${currency}`);
  return found;
}

/** A rate for valuation: the accepted one, even while the currency is held, otherwise the reference rate. */
export function rateToValue(market: Market, currency: string, at: Date, rules: FreshnessRules): FoundRate {
  if (currency === "USD") return dollar(market, at);
  const found = accepted(market, currency, at, rules) ?? ofReference(market, currency, at, rules);
  if (found === undefined) throw noRate(`no source has a current rate for ${currency}`);
  return found;
}

/**
 * The latest rate for reports, whatever its age: the reference rate, and the accepted one of a currency that has no reference rate.
 * Undefined when there is neither.
 */
export function rateToReport(market: Market, currency: string, at: Date): FoundRate | undefined {
  if (currency === "USD") return dollar(market, at);
  return referenceOf(market, currency) ?? acceptedOf(market, currency);
}

function accepted(market: Market, currency: string, at: Date, rules: FreshnessRules): FoundRate | undefined {
  const rate = acceptedOf(market, currency);
  return rate === undefined || openMsBetween(rate.asOf, at, rules.policy) > rules.maxAgeMs ? undefined : rate;
}

function acceptedOf(market: Market, currency: string): FoundRate | undefined {
  const rate = market.rates.find((one) => one.currency === currency)?.accepted;
  if (rate === undefined) return undefined;
  const { asOf, snapshot, readings } = rate;
  const source = readings.map((reading) => reading.source).join(" ");
  return { currency, perUsd: decimalOf(rate.perUsd), date: dayOf(asOf), asOf, snapshot, readings, source };
}

function ofReference(market: Market, currency: string, at: Date, { policy }: FreshnessRules): FoundRate | undefined {
  const { reference } = market;
  return reference !== undefined && isCurrent(reference, at, policy) ? referenceOf(market, currency) : undefined;
}

function referenceOf({ reference, snapshot }: Market, currency: string): FoundRate | undefined {
  const perUsd = reference?.perUsd[currency];
  if (reference === undefined || perUsd === undefined) return undefined;
  const asOf = plusMs(beginningOfTime, Date.parse(reference.date));
  return {
    currency,
    perUsd: decimalOf(perUsd),
    date: reference.date,
    asOf,
    snapshot,
    readings: [],
    source: "reference",
  };
}

const dollar = ({ snapshot }: Market, at: Date): FoundRate => ({
  currency: "USD",
  perUsd: { digits: 1n, scale: 0 },
  date: dayOf(at),
  asOf: at,
  snapshot,
  readings: [],
  source: "",
});

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
