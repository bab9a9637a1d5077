import type { Decimal } from "../shared/kernel/money";
import type { Move } from "./domain/exposure";
import type { AcceptedConversion, PostedMove } from "./domain/margin";
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
  /** The latest rate for reports, whatever its age: the reference rate, otherwise the market's; undefined without either. */
  forReport(currency: string): RateLeg | undefined;
  /** True while all markets are closed: a promised rate is then a risk until they open. */
  isClosed(at: Date): boolean;
}

/** The existing corridors. */
export interface Corridors {
  /** Finds by ISO 3166-1 alpha-3 code; undefined when there is none. Throws UNAVAILABLE before the first answer. */
  find(country: string): Promise<Corridor | undefined>;
}

/** The platform's position in one currency, minor units; positive where it has too much of it. */
export interface Position {
  currency: string;
  /** What executed conversions have left in the ledger, some seconds ago. */
  settledMinor: bigint;
  /** What accepted conversions add that were not in the ledger then. */
  openMinor: bigint;
}

/** The ledger and the open payments, as the fx service sees them. */
export interface Positions {
  /**
   * Reads every currency that has a position, and tells which of these payments are stored, and so part of the positions. Throws
   * UNAVAILABLE.
   */
  read(paymentIds: readonly string[]): Promise<{ positions: readonly Position[]; stored: ReadonlySet<string> }>;
}

/** An entry of the ledger on the account of conversions. */
export interface PostedEntry {
  entryId: string;
  at: Date;
  /** Empty for the platform's own. */
  tenant: string;
  paymentId: string | undefined;
  moves: readonly PostedMove[];
}

/** A conversion with the entries that its payment has reported. */
export interface ReportedConversion extends AcceptedConversion {
  moves: readonly { entryId: string; isReturn: boolean }[];
}

/** A span of time; its end is exclusive. */
export interface Span {
  from: Date;
  until: Date;
}

/** What the ledger and the payments have of conversions. All throw UNAVAILABLE. */
export interface Conversions {
  /** What an account of the ledger gained in a span, by currency. */
  gainOf(account: string, span: Span): Promise<ReadonlyMap<string, bigint>>;
  /** A page of what was posted, the oldest first. Throws INVALID_ARGUMENT for a cursor of no page. */
  posted(
    span: Span,
    page: { after: string | undefined; limit: number },
  ): Promise<{ entries: readonly PostedEntry[]; next: string | undefined }>;
  /** Those of these payments that convert money. */
  reported(paymentIds: readonly string[]): Promise<readonly ReportedConversion[]>;
}

/** The room that the limits of exposure leave. */
export interface ExposureRoom {
  /** Throws NO_ROUTE with the reason when a conversion would exceed a limit. */
  require(moves: readonly Move[]): Promise<void>;
  /** The same, and counts the conversion of a payment from now on, once. */
  take(paymentId: string, moves: readonly Move[]): Promise<void>;
}
