import type { Clock } from "../../shared/kernel/clock";
import type { Ids } from "../../shared/kernel/ids";
import type { Logger } from "../../shared/process/logger";
import type { Market, ReferenceRates, SourceAnswer } from "../domain/market";
import type { Pricing } from "../domain/pricing";
import type { RatePolicy } from "../domain/rate-policy";
import { settleRound } from "../domain/settle-round";
import type { MarketStore } from "../store/market-store";
import { changeMarket } from "./change-market";

export interface ReadMarketDeps {
  markets: MarketStore;
  /** Asks every source; a source that fails has a problem. */
  askSources: () => Promise<readonly SourceAnswer[]>;
  askReference: () => Promise<ReferenceRates | undefined>;
  policy: RatePolicy;
  pricing: Pricing;
  maxAgeMs: number;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  logger: Logger;
}

export type ReadMarket = () => Promise<Market>;

/** Reads all sources once and decides which rates are accepted and which are held. Safe in several replicas at once. */
export const makeReadMarket =
  ({ markets, askSources, askReference, policy, pricing, maxAgeMs, clock, ids, logger }: ReadMarketDeps): ReadMarket =>
  async () => {
    const [answers, reference] = await Promise.all([askSources(), askReference()]);
    const round = { snapshot: ids.uuid(), at: clock.now(), answers, reference };
    const rules = { policy, pricing, maxAgeMs, newId: () => ids.uuid() };
    let heldBefore = new Set<string>();
    const market = await changeMarket(markets, (before) => {
      heldBefore = new Set(holdsOf(before));
      return settleRound(before, round, rules);
    });
    for (const { currency, hold } of market.rates) {
      if (hold === undefined || heldBefore.has(hold.holdId)) continue;
      const { holdId, reason, perUsd } = hold;
      logger.error({ currency, holdId, reason, perUsd }, "the rate of a currency is held");
    }
    return market;
  };

const holdsOf = ({ rates }: Market): string[] => rates.flatMap(({ hold }) => hold?.holdId ?? []);
