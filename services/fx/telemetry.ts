import { absolute } from "../shared/kernel/assets";
import { type Clock, secondsSince } from "../shared/kernel/clock";
import { gauge, gauges, type Metrics } from "../shared/process/metrics";
import { isKnown, type LimitedPosition, netOf } from "./domain/exposure";
import { type FreshnessRules, rateToPromise } from "./domain/find-rate";
import type { Market } from "./domain/market";

/** Measures held rates, stale rates and the age of each source. */
export function measureRates(
  metrics: Metrics,
  current: () => Market,
  { clock, sources, ...rules }: FreshnessRules & { clock: Clock; sources: readonly string[] },
): void {
  const held = () => current().rates.filter(({ hold }) => hold !== undefined);
  gauge(metrics, "corridor_rates_held", "Currencies that are not quoted until their hold ends.", () => held().length);
  gauge(metrics, "corridor_rates_stale", "Currencies whose rate is too old to quote by.", () => {
    const isPromised = (currency: string): boolean => {
      try {
        return rateToPromise(current(), currency, clock.now(), rules).currency === currency;
      } catch {
        return false;
      }
    };
    return current().rates.filter(({ currency, hold }) => hold === undefined && !isPromised(currency)).length;
  });
  gauges(metrics, "corridor_rate_source_age_seconds", "Age of a rate source's last usable answer.", {
    labelNames: ["source"],
    read: async () =>
      current()
        .sources.filter(({ source }) => sources.includes(source))
        .map(({ source, asOf, since }) => ({ labels: { source }, value: secondsSince(asOf ?? since, clock.now()) })),
  });
}

export interface ExposureMeasures {
  limited(): readonly LimitedPosition[];
  maxAgeMs: number;
  clock: Clock;
}

/** Measures how much of each limit is used, and the positions that are too old to convert by. */
export function measureExposure(metrics: Metrics, { limited, maxAgeMs, clock }: ExposureMeasures): void {
  gauges(metrics, "corridor_exposure_limit_used_ratio", "Part of a currency's limit of exposure that is used.", {
    labelNames: ["currency"],
    read: async () =>
      limited().map((position) => {
        // A limit of zero is used up by the first minor unit.
        const shares = (absolute(netOf(position)) * 10_000n) / (position.limitMinor || 1n);
        return { labels: { currency: position.currency }, value: Number.parseInt(String(shares), 10) / 10_000 };
      }),
  });
  const unknown = "Limited currencies whose position is too old to convert by.";
  gauge(
    metrics,
    "corridor_exposure_unknown",
    unknown,
    () => limited().filter((position) => !isKnown(position, clock.now(), maxAgeMs)).length,
  );
}
