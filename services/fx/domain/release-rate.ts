import { DomainError, invalid } from "../../shared/kernel/errors";
import { formatDecimal, parseDecimal } from "../../shared/kernel/money";
import type { CurrencyRate, Market, RateHold } from "./market";
import { classOf, type Pricing } from "./pricing";
import type { RatePolicy } from "./rate-policy";
import { isNear, newestOf } from "./settle-round";

/** An operator's confirmation that a rate is true. */
export interface ReleaseOrder {
  currency: string;
  holdId: string;
  /** Units for one US dollar, decimal text. */
  perUsd: string;
  author: string;
  note: string;
  at: Date;
}

/**
 * Ends a hold: the operator's rate applies until the next reading of the sources. It must be close to a source's rate, so that a typing
 * error cannot become a rate. Repeating the order changes nothing.
 */
export function releaseRate(
  market: Market,
  order: ReleaseOrder,
  { policy, pricing }: { policy: RatePolicy; pricing: Pricing },
): Market {
  const rate = market.rates.find(({ currency }) => currency === order.currency);
  if (rate === undefined) throw new DomainError("RECORD_NOT_FOUND", "there is no market rate for this currency");
  const decimal = parseDecimal(order.perUsd);
  if (decimal === undefined || decimal.digits === 0n) {
    throw invalid([{ field: "rate", message: "must be a plain decimal number above 0" }]);
  }
  const perUsd = formatDecimal(decimal);
  if (rate.hold === undefined && rate.release?.holdId === order.holdId && rate.release.perUsd === perUsd) return market;
  if (rate.hold === undefined) throw new DomainError("RECORD_CONFLICT", "the rate of this currency is not held");
  if (rate.hold.holdId !== order.holdId)
    throw new DomainError("RECORD_CONFLICT", "the hold id is not that of the present hold");
  const bps = policy.jumpBps[classOf(pricing, order.currency)];
  if (!rate.hold.readings.some((reading) => isNear(perUsd, reading.perUsd, bps))) {
    const message = `must be within ${bps} basis points of a source's rate for ${order.currency}`;
    throw invalid([{ field: "rate", message }]);
  }
  const released = withRelease(rate, rate.hold, { ...order, perUsd });
  return {
    ...market,
    version: market.version + 1,
    rates: market.rates.map((one) => (one.currency === order.currency ? released : one)),
  };
}

function withRelease(
  rate: CurrencyRate,
  hold: RateHold,
  { holdId, perUsd, author, note, at }: ReleaseOrder,
): CurrencyRate {
  const { readings, referenceDate } = hold;
  const asOf = newestOf(readings);
  return {
    ...rate,
    accepted: { perUsd, asOf, snapshot: holdId, readings },
    dayAgo: { perUsd, at },
    hold: undefined,
    release: { holdId, perUsd, author, note, at, referenceDate },
  };
}
