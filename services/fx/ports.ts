import type { RateTable } from "./domain/rate-table";
import type { Corridor } from "./domain/route";

/** Mid-market rates with where and when they were read. */
export interface ReadRates {
  table: RateTable;
  /** A host, or the name of the installed package. */
  source: string;
  readAt: Date;
}

/** Where mid-market rates come from. */
export interface RateSource {
  /** The newest table. Throws UNAVAILABLE when it is too old to promise anything by. */
  current(): ReadRates;
}

/** The corridors that exist. */
export interface Corridors {
  /** By ISO 3166-1 alpha-3 code; undefined when there is none. Throws UNAVAILABLE while nobody has ever answered. */
  find(country: string): Promise<Corridor | undefined>;
}
