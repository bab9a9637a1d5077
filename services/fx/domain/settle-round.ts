import { beginningOfTime, latest } from "../../shared/kernel/clock";
import { type Decimal, formatDecimal, parseDecimal } from "../../shared/kernel/money";
import type {
  CurrencyRate,
  HoldReason,
  Market,
  RateHold,
  Reading,
  ReferenceRates,
  SourceAnswer,
  SourceState,
} from "./market";
import { openMsBetween } from "./market-hours";
import { type CurrencyClass, classOf, type Pricing } from "./pricing";
import type { RatePolicy } from "./rate-policy";

const dayMs = 24 * 60 * 60 * 1_000;

/** One reading of all sources. */
export interface Round {
  snapshot: string;
  at: Date;
  answers: readonly SourceAnswer[];
  /** The newest reference rates; undefined keeps the previous ones. */
  reference: ReferenceRates | undefined;
}

export interface RoundRules {
  policy: RatePolicy;
  pricing: Pick<Pricing, "major" | "exotic">;
  /** Counts only time in which markets are open. */
  maxAgeMs: number;
  newId: () => string;
}

/** The market before the first reading. */
export const unknownMarket: Market = {
  version: 0,
  snapshot: "",
  readAt: beginningOfTime,
  sources: [],
  reference: undefined,
  rates: [],
};

/** Decides which rates of a round are accepted and which currencies are held. A currency without a reading is unchanged. */
export function settleRound(market: Market, round: Round, rules: RoundRules): Market {
  const readings = freshReadings(round, rules);
  const reference = newerOf(market.reference, round.reference);
  const known = new Map(market.rates.map((rate) => [rate.currency, rate]));
  const currencies = new Set([...known.keys(), ...readings.keys()]);
  return {
    version: market.version + 1,
    snapshot: round.snapshot,
    readAt: round.at,
    sources: round.answers.map((answer) => sourceState(market, answer, round.at)),
    reference,
    rates: [...currencies].toSorted().map((currency) => {
      const before = known.get(currency) ?? unknownRate(currency);
      const told = readings.get(currency);
      return told === undefined ? before : settleRate(before, told, { ...round, reference }, rules);
    }),
  };
}

const unknownRate = (currency: string): CurrencyRate => ({
  currency,
  accepted: undefined,
  dayAgo: undefined,
  hold: undefined,
  release: undefined,
});

const newerOf = (known: ReferenceRates | undefined, read: ReferenceRates | undefined): ReferenceRates | undefined =>
  read === undefined || (known !== undefined && known.date > read.date) ? known : read;

function sourceState(market: Market, { source, table, problem }: SourceAnswer, at: Date): SourceState {
  const before = market.sources.find((one) => one.source === source);
  return { source, since: before?.since ?? at, asOf: table?.asOf ?? before?.asOf, problem };
}

/** Readings by currency that are not too old; the dollar needs none. */
function freshReadings({ answers, at }: Round, { policy, maxAgeMs }: RoundRules): Map<string, Reading[]> {
  const readings = new Map<string, Reading[]>();
  for (const { source, table } of answers) {
    if (table === undefined || openMsBetween(table.asOf, at, policy) > maxAgeMs) continue;
    for (const [currency, perUsd] of table.perUsd) {
      if (currency === "USD") continue;
      const reading = { source, perUsd: formatDecimal(perUsd), asOf: table.asOf };
      readings.set(currency, [...(readings.get(currency) ?? []), reading]);
    }
  }
  return readings;
}

function settleRate(
  before: CurrencyRate,
  readings: readonly Reading[],
  round: Pick<Round, "snapshot" | "at" | "reference">,
  rules: RoundRules,
): CurrencyRate {
  const perUsd = middleOf(readings.map((reading) => reading.perUsd));
  const found = reasonToHold(before, perUsd, readings, round, rules);
  // A hold that only an operator can end stays, whatever the sources say now.
  const reason = before.hold !== undefined && before.hold.reason !== "DISAGREEMENT" ? before.hold.reason : found;
  if (reason !== undefined) {
    const { holdId, since } = before.hold ?? { holdId: rules.newId(), since: round.at };
    const hold: RateHold = { holdId, reason, since, perUsd, readings, referenceDate: round.reference?.date };
    return { ...before, hold };
  }
  const asOf = newestOf(readings);
  const isOld = before.dayAgo === undefined || round.at.getTime() - before.dayAgo.at.getTime() >= dayMs;
  const dayAgo = isOld ? { perUsd: before.accepted?.perUsd ?? perUsd, at: round.at } : before.dayAgo;
  return { ...before, accepted: { perUsd, asOf, snapshot: round.snapshot, readings }, dayAgo, hold: undefined };
}

function reasonToHold(
  before: CurrencyRate,
  perUsd: string,
  readings: readonly Reading[],
  { at, reference }: Pick<Round, "at" | "reference">,
  { policy, pricing }: RoundRules,
): HoldReason | undefined {
  const size = classOf(pricing, before.currency);
  if (!agree(readings, perUsd, policy.agreementBps[size])) return "DISAGREEMENT";
  const bound = reference?.perUsd[before.currency];
  const isBound =
    bound !== undefined &&
    reference !== undefined &&
    reference.date !== before.release?.referenceDate &&
    isCurrent(reference, at, policy);
  if (isBound && !isNear(perUsd, bound, policy.referenceBps[size])) return "REFERENCE";
  return leaps(before, perUsd, policy, size) ? "JUMP" : undefined;
}

const leaps = ({ accepted, dayAgo }: CurrencyRate, perUsd: string, policy: RatePolicy, size: CurrencyClass): boolean =>
  (accepted !== undefined && !isNear(perUsd, accepted.perUsd, policy.jumpBps[size])) ||
  (dayAgo !== undefined && !isNear(perUsd, dayAgo.perUsd, policy.dayBps[size]));

/** True when the readings agree: two sources must be close to each other; of three or more, most must be close to the median. */
function agree(readings: readonly Reading[], median: string, bps: number): boolean {
  const [one, two] = readings;
  if (one === undefined || two === undefined) return true;
  if (readings.length === 2) return isNear(one.perUsd, two.perUsd, bps) && isNear(two.perUsd, one.perUsd, bps);
  return readings.filter(({ perUsd }) => isNear(perUsd, median, bps)).length * 2 > readings.length;
}

/** True while the reference rates are recent enough. */
export const isCurrent = ({ date }: ReferenceRates, at: Date, policy: RatePolicy): boolean =>
  at.getTime() - Date.parse(date) <= (policy.referenceMaxAgeDays + 1) * dayMs;

/** True when two rates differ by at most `bps` basis points of the second. */
export function isNear(rate: string, other: string, bps: number): boolean {
  const [a, b] = sameScale(decimalOf(rate), decimalOf(other));
  const difference = a > b ? a - b : b - a;
  return difference * 10_000n <= b * BigInt(bps);
}

/** Parses a decimal written by this service. */
export function decimalOf(text: string): Decimal {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new Error("a stored rate is not a decimal");
  return decimal;
}

function sameScale(a: Decimal, b: Decimal): [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale)];
}

/** Instant of the newest reading. */
export const newestOf = (readings: readonly Reading[]): Date =>
  latest([beginningOfTime, ...readings.map(({ asOf }) => asOf)]);

/** The exact median; for an even count, the mean of the middle two. */
export function middleOf(rates: readonly string[]): string {
  const sorted = rates.map(decimalOf).toSorted((one, other) => {
    const [a, b] = sameScale(one, other);
    return a < b ? -1 : a > b ? 1 : 0;
  });
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error("no readings, so no median");
  if (upper === lower) return formatDecimal(upper);
  const [a, b] = sameScale(lower, upper);
  return formatDecimal({ digits: (a + b) * 5n, scale: Math.max(lower.scale, upper.scale) + 1 });
}
