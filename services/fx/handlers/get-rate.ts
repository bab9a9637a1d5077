import type { GetRateRequest, GetRateResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { marketRate } from "../domain/pricing";
import type { MarketRates } from "../ports";
import { requireCurrencies } from "./codec";

/** Reads a rate; no decision is involved. */
export const getRateHandler =
  (rates: Pick<MarketRates, "forValue">) =>
  ({ sourceCurrency, destinationCurrency }: GetRateRequest): Promise<GetRateResponse> => {
    requireCurrencies({ sourceCurrency, destinationCurrency });
    const source = rates.forValue(sourceCurrency);
    const destination = rates.forValue(destinationCurrency);
    return Promise.resolve({ rate: marketRate(source.perUsd, destination.perUsd) });
  };
