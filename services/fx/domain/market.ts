import type { Decimal } from "../../shared/kernel/money";

/** What one source says of one currency: units for one US dollar as decimal text, and of when that is. */
export interface Reading {
  source: string;
  perUsd: string;
  asOf: Date;
}

/** A rate that has passed all bounds, with what it was made of. */
export interface AcceptedRate {
  perUsd: string;
  /** Of when the newest of its readings is. */
  asOf: Date;
  /** The round of reading that it comes from. */
  snapshot: string;
  readings: readonly Reading[];
}

/**
 * Why a rate is held: sources differ, the rate is too far from the reference rate, or too far from what was accepted last or
 * a day ago. A disagreement ends by itself; the others end by a person alone.
 */
export type HoldReason = "DISAGREEMENT" | "REFERENCE" | "JUMP";

/** A currency that is not quoted, with what was seen last. */
export interface RateHold {
  holdId: string;
  reason: HoldReason;
  since: Date;
  perUsd: string;
  readings: readonly Reading[];
  /** Day of the reference rates at that time. */
  referenceDate: string | undefined;
}

/** What a person released last. */
export interface Release {
  holdId: string;
  perUsd: string;
  author: string;
  note: string;
  at: Date;
  /** Reference rates of this day bound the currency no more: the person has seen them. */
  referenceDate: string | undefined;
}

/** What is known of one currency against the US dollar. */
export interface CurrencyRate {
  currency: string;
  accepted: AcceptedRate | undefined;
  /** What was accepted about a day ago. */
  dayAgo: { perUsd: string; at: Date } | undefined;
  hold: RateHold | undefined;
  release: Release | undefined;
}

/** Reference rates of a day, units for one US dollar as decimal text. */
export interface ReferenceRates {
  date: string;
  perUsd: Readonly<Record<string, string>>;
}

/** How a source answered. */
export interface SourceState {
  source: string;
  /** Since when it has been asked. */
  since: Date;
  /** Of when its last usable answer is; undefined before the first. */
  asOf: Date | undefined;
  /** Why its last answer could not be used. */
  problem: string | undefined;
}

/** All market rates at one moment. */
export interface Market {
  /** Counts every change. */
  version: number;
  snapshot: string;
  readAt: Date;
  sources: readonly SourceState[];
  reference: ReferenceRates | undefined;
  rates: readonly CurrencyRate[];
}

/** What one source answered in one round; `table` is missing when it could not be used. */
export interface SourceAnswer {
  source: string;
  table: { asOf: Date; perUsd: ReadonlyMap<string, Decimal> } | undefined;
  problem: string | undefined;
}
