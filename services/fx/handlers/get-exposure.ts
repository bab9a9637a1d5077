import type { GetExposureResponse, Exposure as WireExposure } from "../../../proto/gen/corridor/fx/v1/exposure_service";
import { formatDecimal } from "../../shared/kernel/money";
import type { Exposure, ReadExposure } from "../operations/read-exposure";

export const getExposureHandler = (readExposure: ReadExposure) => async (): Promise<GetExposureResponse> => ({
  exposures: (await readExposure()).map(encodeExposure),
});

const encodeExposure = ({ value, limit, ...exposure }: Exposure): WireExposure => ({
  ...exposure,
  valueMinor: value?.minor,
  perUsd: value && formatDecimal(value.rate.perUsd),
  rateDate: value?.rate.date,
  rateSource: value?.rate.source,
  limit,
});
