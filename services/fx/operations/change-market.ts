import { amongRivals, beaten } from "../../shared/process/among-rivals";
import type { Market } from "../domain/market";
import { unknownMarket } from "../domain/settle-round";
import type { MarketStore } from "../store/market-store";

/** Decides about the stored market until no rival comes between. Whoever asks for no change gets the market as it is. */
export const changeMarket = (
  markets: Pick<MarketStore, "findOther" | "save">,
  decide: (market: Market) => Market,
): Promise<Market> =>
  amongRivals("market", async () => {
    const market = (await markets.findOther(0)) ?? unknownMarket;
    const next = decide(market);
    return next === market || (await markets.save(next)) ? next : beaten;
  });
