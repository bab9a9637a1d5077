import type { Clock } from "../../shared/kernel/clock";
import { type Running, stopAll } from "../../shared/process/lifecycle";
import { errorFields, type Logger } from "../../shared/process/logger";
import { repeat } from "../../shared/process/repeat";
import { type FreshnessRules, rateToPromise, rateToReport, rateToValue } from "../domain/find-rate";
import type { Market } from "../domain/market";
import { isMarketClosed } from "../domain/market-hours";
import { unknownMarket } from "../domain/settle-round";
import type { ReadMarket } from "../operations/read-market";
import type { MarketRates } from "../ports";
import type { MarketStore } from "../store/market-store";

/** How soon a replica follows the readings, holds and releases of another. */
const followMs = 1_000;

export interface LiveRatesDeps extends FreshnessRules {
  markets: Pick<MarketStore, "findOther">;
  readMarket: ReadMarket;
  refreshMs: number;
  clock: Clock;
  logger: Logger;
}

/**
 * Keeps the market's rates, which every replica reads repeatedly and all share. Awaits the first reading; when that gives
 * nothing, the service still starts, and quotes nothing until it has a rate.
 */
export async function liveRates({
  markets,
  readMarket,
  refreshMs,
  clock,
  logger,
  ...rules
}: LiveRatesDeps): Promise<Running & MarketRates & { current(): Market }> {
  let market = unknownMarket;
  const take = (next: Market | undefined): void => {
    if (next !== undefined && next.version > market.version) market = next;
  };
  const read = async (): Promise<void> => take(await readMarket());
  take(await markets.findOther(0));
  await read();
  const reading = repeat(refreshMs, read, (error) =>
    logger.warn(errorFields(error), "exchange rates could not be read"),
  );
  const following = repeat(
    followMs,
    async () => take(await markets.findOther(market.version)),
    (error) => logger.warn(errorFields(error), "the shared exchange rates could not be read"),
  );
  return {
    current: () => market,
    forPromise: (currency) => rateToPromise(market, currency, clock.now(), rules),
    forValue: (currency) => rateToValue(market, currency, clock.now(), rules),
    forReport: (currency) => rateToReport(market, currency, clock.now()),
    isClosed: (at) => isMarketClosed(at, rules.policy),
    ...stopAll([reading, following]),
  };
}
