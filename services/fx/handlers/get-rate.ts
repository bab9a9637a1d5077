import type { GetRateRequest, GetRateResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import { DomainError } from "../../shared/errors";
import { marketRate } from "../domain/pricing";
import type { RateSource } from "../ports";
import { requireCurrencies } from "./codec";

/** A read without a decision. */
export const getRateHandler =
  (rates: RateSource) =>
  ({ sourceCurrency, destinationCurrency }: GetRateRequest): Promise<GetRateResponse> => {
    requireCurrencies({ sourceCurrency, destinationCurrency });
    const { table } = rates.current();
    const source = table.perUsd(sourceCurrency);
    const destination = table.perUsd(destinationCurrency);
    if (source === undefined || destination === undefined) {
      throw new DomainError("NO_ROUTE", "there is no rate between these currencies");
    }
    return Promise.resolve({ rate: marketRate(source, destination) });
  };
