import { DomainError } from "../../shared/kernel/errors";
import type { Market } from "../domain/market";
import { unknownMarket } from "../domain/settle-round";
import type { MarketStore } from "../store/market-store";

/** Replicas that read sources at once, and the odd person; each waits for those before it. */
const attempts = 32;

/** Decides about the stored market until no rival comes between. Whoever asks for no change gets the market as it is. */
export async function changeMarket(
  markets: Pick<MarketStore, "findOther" | "save">,
  decide: (market: Market) => Market,
): Promise<Market> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const market = (await markets.findOther(0)) ?? unknownMarket;
    const next = decide(market);
    if (next === market || (await markets.save(next))) return next;
  }
  throw new DomainError("UNAVAILABLE", "the market's rates change all the time");
}
