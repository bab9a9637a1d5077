import { absolute } from "../../shared/kernel/assets";
import { DomainError } from "../../shared/kernel/errors";
import {
  type Decimal,
  divideHalfEven,
  exactConversion,
  money,
  type Rate,
  requireDigits,
} from "../../shared/kernel/money";

/** How far from zero the position in a currency may be for conversions to be quoted that take it further. */
export interface ExposureLimit {
  currency: string;
  /** Minor units of the currency. */
  limitMinor: bigint;
  author: string;
  note: string;
  setAt: Date;
}

/** What a conversion adds to the position in a currency, minor units. */
export interface Move {
  currency: string;
  minor: bigint;
}

/**
 * What a conversion does to the platform's positions: it takes in the one currency and pays out the other. Of a conversion whose amount is
 * not known, only the direction counts.
 */
export function movesOf(
  { sourceCurrency, destinationCurrency, rate }: { sourceCurrency: string; destinationCurrency: string; rate: Rate },
  amountMinor: bigint | undefined,
): readonly Move[] {
  if (sourceCurrency === destinationCurrency) return [];
  const exact = exactConversion(money(amountMinor ?? 1n, sourceCurrency), rate, requireDigits(destinationCurrency));
  const paid = amountMinor === undefined ? 1n : divideHalfEven(exact.numerator, exact.denominator);
  return [
    { currency: sourceCurrency, minor: amountMinor ?? 1n },
    { currency: destinationCurrency, minor: -paid },
  ];
}

/** A limited currency with all that decides whether it has room. */
export interface LimitedPosition extends ExposureLimit {
  /** The last position that was read; undefined before the first. */
  reading: { at: Date; netMinor: bigint } | undefined;
  /** What accepted payments add that the reading does not have, or may not have. */
  takenMinor: bigint;
}

/**
 * Refuses a conversion that takes a position further than its limit, with NO_ROUTE and the reason. What brings a position nearer to zero
 * always passes. A limited currency whose last reading is older than `maxAgeMs` is not converted, since its position is unknown.
 */
export function requireRoom(
  limited: readonly LimitedPosition[],
  moves: readonly Move[],
  at: Date,
  maxAgeMs: number,
): void {
  for (const position of limited) {
    const { currency, limitMinor } = position;
    const minor = moves.find((move) => move.currency === currency)?.minor ?? 0n;
    if (!isKnown(position, at, maxAgeMs)) {
      throw noRoom(`the platform's position in ${currency}, which is limited, is not known at present`);
    }
    const before = netOf(position);
    const after = absolute(before + minor);
    if (after > limitMinor && after > absolute(before)) {
      throw noRoom(`the limit of the platform's position in ${currency} would be exceeded`);
    }
  }
}

/** True while the reading of a position is young enough to convert by. */
export const isKnown = ({ reading }: LimitedPosition, at: Date, maxAgeMs: number): boolean =>
  reading !== undefined && at.getTime() - reading.at.getTime() <= maxAgeMs;

/** Returns a position, as far as it is known, with what was accepted since. */
export const netOf = ({ reading, takenMinor }: LimitedPosition): bigint => (reading?.netMinor ?? 0n) + takenMinor;

const noRoom = (message: string): DomainError => new DomainError("NO_ROUTE", message);

/** What to buy, or to sell where it is negative, so that a position is no further from zero than the limit. */
export function backWithin(netMinor: bigint, limitMinor: bigint): bigint {
  if (absolute(netMinor) <= limitMinor) return 0n;
  return (netMinor < 0n ? -limitMinor : limitMinor) - netMinor;
}

/** A currency with its units for one US dollar. */
export interface PricedCurrency {
  currency: string;
  perUsd: Decimal;
}

/**
 * What a signed amount is worth in another currency, minor units: the exact product rounded once, half to even, by its distance from zero,
 * so that an amount and its opposite have opposite values.
 */
export function valueIn(minor: bigint, from: PricedCurrency, to: PricedCurrency): bigint {
  const numerator = absolute(minor) * to.perUsd.digits * 10n ** BigInt(from.perUsd.scale + requireDigits(to.currency));
  const denominator = from.perUsd.digits * 10n ** BigInt(to.perUsd.scale + requireDigits(from.currency));
  const value = divideHalfEven(numerator, denominator);
  return minor < 0n ? -value : value;
}
