import type { Decimal } from "../shared/kernel/money";
import type { Reading } from "./domain/market";
import type { Corridor } from "./domain/route";

/** The rate of one currency against the US dollar, and where it is from. */
export interface RateLeg {
  currency: string;
  /** Units for one US dollar. */
  perUsd: Decimal;
  /** Day of the rate, `YYYY-MM-DD`. */
  date: string;
  asOf: Date;
  /** The round of reading that it comes from; undefined for the installed package. */
  snapshot: string | undefined;
  /** What each source said; none for the installed package, the dollar and reference rates. */
  readings: readonly Reading[];
  /** Names of the sources, or of the installed package. */
  source: string;
}

/** Where mid-market rates come from. */
export interface MarketRates {
  /** A rate to promise something by. Throws NO_ROUTE with the reason where it is held, too old, or not there. */
  forPromise(currency: string): RateLeg;
  /** A rate to value something by: also of a currency that is held, and a reference rate where the market's are too old. */
  forValue(currency: string): RateLeg;
  /** True while no market makes prices, so that what is promised is a risk until it opens. */
  isClosed(at: Date): boolean;
}

/** The corridors that exist. */
export interface Corridors {
  /** By ISO 3166-1 alpha-3 code; undefined when there is none. Throws UNAVAILABLE while nobody has ever answered. */
  find(country: string): Promise<Corridor | undefined>;
}
