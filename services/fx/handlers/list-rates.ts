import type { ListRatesResponse } from "../../../proto/gen/corridor/fx/v1/rate_service";
import { unknownMarket } from "../domain/settle-round";
import type { MarketStore } from "../store/market-store";
import { encodeMarket } from "./codec";

/** Reads the market; no decision is involved. */
export const listRatesHandler = (markets: Pick<MarketStore, "findOther">) => async (): Promise<ListRatesResponse> => ({
  market: encodeMarket((await markets.findOther(0)) ?? unknownMarket),
});
