import { type Clock, secondsSince } from "../shared/kernel/clock";
import { gauge, gauges, type Metrics } from "../shared/process/metrics";
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
