import type {
  SetExposureLimitRequest,
  SetExposureLimitResponse,
} from "../../../proto/gen/corridor/fx/v1/exposure_service";
import { invalid } from "../../shared/kernel/errors";
import { currencyDigits } from "../../shared/kernel/money";
import type { SetExposureLimit } from "../operations/set-exposure-limit";

const widest = 10n ** 17n;

export const setExposureLimitHandler =
  (setExposureLimit: SetExposureLimit) =>
  async ({ currency, limitMinor, author, note }: SetExposureLimitRequest): Promise<SetExposureLimitResponse> => {
    const isKnown = currencyDigits(currency) !== undefined;
    const isWithin = limitMinor === undefined || (limitMinor >= 0n && limitMinor <= widest);
    const violations = [
      ...(isKnown ? [] : [{ field: "currency", message: "must be a currency of ISO 4217" }]),
      ...(isWithin ? [] : [{ field: "limitMinor", message: "must be from 0 to 10^17" }]),
    ];
    if (violations.length > 0) throw invalid(violations);
    await setExposureLimit({ currency, limitMinor, author, note });
    return {};
  };
