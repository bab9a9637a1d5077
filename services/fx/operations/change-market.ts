import { conflict, retryOnConflict } from "../../shared/process/retry-on-conflict";
import type { Market } from "../domain/market";
import { unknownMarket } from "../domain/settle-round";
import type { MarketStore } from "../store/market-store";

/** Decides about the stored market until no other writer comes between. Who asks for no change gets the market as it is. */
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
