import type { Decimal } from "../shared/kernel/money";
import type { Reading } from "./domain/market";
import type { Corridor } from "./domain/route";

/** The rate of one currency against the US dollar, and its origin. */
export interface RateLeg {
  currency: string;
  /** Units for one US dollar. */
  perUsd: Decimal;
  /** Day of the rate, `YYYY-MM-DD`. */
  date: string;
  asOf: Date;
  /** Id of the reading round; undefined for the installed package. */
  snapshot: string | undefined;
  /** Each source's reading; empty for the installed package, the dollar and reference rates. */
  readings: readonly Reading[];
  /** Names of the sources, or of the installed package. */
  source: string;
}

/** A supply of mid-market rates. */
export interface MarketRates {
  /** A rate for a quote. Throws NO_ROUTE with the reason when the rate is held, too old or missing. */
  forPromise(currency: string): RateLeg;
  /** A rate for valuation: accepted even while held, and the reference rate when the market's is too old. */
  forValue(currency: string): RateLeg;
  /** True while all markets are closed: a promised rate is then a risk until they open. */
  isClosed(at: Date): boolean;
}

/** The existing corridors. */
export interface Corridors {
  /** Finds by ISO 3166-1 alpha-3 code; undefined when there is none. Throws UNAVAILABLE before the first answer. */
  find(country: string): Promise<Corridor | undefined>;
}
