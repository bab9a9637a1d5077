import type { Decimal } from "../../shared/kernel/money";

/** One source's rate of a currency: units for one US dollar as decimal text, and its instant. */
export interface Reading {
  source: string;
  perUsd: string;
  asOf: Date;
}

/** A rate that has passed every check, with the readings behind it. */
export interface AcceptedRate {
  perUsd: string;
  /** Instant of the newest reading. */
  asOf: Date;
  /** Id of the reading round that produced the rate. */
  snapshot: string;
  readings: readonly Reading[];
}

/**
 * Why a rate is held: the sources differ, or the rate is too far from the reference rate, from the last accepted rate or from
 * the one a day ago. A disagreement ends by itself; an operator must end the others.
 */
export type HoldReason = "DISAGREEMENT" | "REFERENCE" | "JUMP";

/** A currency that is not quoted, with its last seen rate. */
export interface RateHold {
  holdId: string;
  reason: HoldReason;
  since: Date;
  perUsd: string;
  readings: readonly Reading[];
  /** Day of the reference rates at that time. */
  referenceDate: string | undefined;
}

/** The last release by an operator. */
export interface Release {
  holdId: string;
  perUsd: string;
  author: string;
  note: string;
  at: Date;
  /** Reference rates of this day no longer limit the currency: the operator has seen them. */
  referenceDate: string | undefined;
}

/** State of one currency against the US dollar. */
export interface CurrencyRate {
  currency: string;
  accepted: AcceptedRate | undefined;
  /** The rate accepted about a day ago. */
  dayAgo: { perUsd: string; at: Date } | undefined;
  hold: RateHold | undefined;
  release: Release | undefined;
}

/** Reference rates of a day, units for one US dollar as decimal text. */
export interface ReferenceRates {
  date: string;
  perUsd: Readonly<Record<string, string>>;
}

/** State of one source. */
export interface SourceState {
  source: string;
  /** Start of polling this source. */
  since: Date;
  /** Instant of its last usable answer; undefined before the first. */
  asOf: Date | undefined;
  /** Why its last answer was unusable. */
  problem: string | undefined;
}

/** All market rates at one moment. */
export interface Market {
  /** Increases with every change. */
  version: number;
  snapshot: string;
  readAt: Date;
  sources: readonly SourceState[];
  reference: ReferenceRates | undefined;
  rates: readonly CurrencyRate[];
}

/** A source's answer in one round; `table` is undefined when the answer was unusable. */
export interface SourceAnswer {
  source: string;
  table: { asOf: Date; perUsd: ReadonlyMap<string, Decimal> } | undefined;
  problem: string | undefined;
}
