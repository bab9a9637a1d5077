import { DomainError } from "../../shared/kernel/errors";
import type { Market } from "../domain/market";
import { unknownMarket } from "../domain/settle-round";
import type { MarketStore } from "../store/market-store";

/** Covers every replica reading at once, and an operator: each waits for those before it. */
const attempts = 32;

/** Decides on the stored market and retries on a conflict. Returns the market as it is when `decide` changes nothing. */
export async function changeMarket(
  markets: Pick<MarketStore, "findOther" | "save">,
  decide: (market: Market) => Market,
): Promise<Market> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const market = (await markets.findOther(0)) ?? unknownMarket;
    const next = decide(market);
    if (next === market || (await markets.save(next))) return next;
  }
  throw new DomainError("UNAVAILABLE", "the market's rates keep changing");
}
