import type { ReleaseRateRequest, ReleaseRateResponse } from "../../../proto/gen/corridor/fx/v1/rate_service";
import type { ReleaseRate } from "../operations/release-rate";
import { encodeMarket } from "./codec";

export const releaseRateHandler =
  (releaseRate: ReleaseRate) =>
  async ({ currency, holdId, rate, author, note }: ReleaseRateRequest): Promise<ReleaseRateResponse> => ({
    market: encodeMarket(await releaseRate({ currency, holdId, perUsd: rate, author, note })),
  });
