import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import type { Market } from "../domain/market";
import { unknownMarket } from "../domain/settle-round";
import type { MarketStore } from "../store/market-store";

/** Decides on the stored market and retries on a conflict. Returns the market as it is when `decide` changes nothing. */
export function changeMarket(
  markets: Pick<MarketStore, "findOther" | "save">,
  decide: (market: Market) => Market,
): Promise<Market> {
  return retryOnConflict("market", async () => {
    const market = (await markets.findOther(0)) ?? unknownMarket;
    const next = decide(market);
    return next === market || (await markets.save(next)) ? next : conflict;
  });
}
