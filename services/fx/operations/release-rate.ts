import type { Clock } from "../../shared/kernel/clock";
import type { Market } from "../domain/market";
import type { Pricing } from "../domain/pricing";
import type { RatePolicy } from "../domain/rate-policy";
import { type ReleaseOrder, releaseRate } from "../domain/release-rate";
import type { MarketStore } from "../store/market-store";
import { changeMarket } from "./change-market";

export interface ReleaseRateDeps {
  markets: MarketStore;
  policy: RatePolicy;
  pricing: Pricing;
  clock: Clock;
}

export type ReleaseRate = (order: Omit<ReleaseOrder, "at">) => Promise<Market>;

/** Ends a hold by an operator's order. */
export const makeReleaseRate =
  ({ markets, policy, pricing, clock }: ReleaseRateDeps): ReleaseRate =>
  (order) =>
    changeMarket(markets, (market) => releaseRate(market, { ...order, at: clock.now() }, { policy, pricing }));
