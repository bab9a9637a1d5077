import type { CheckNumbersRequest, CheckNumbersResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { invalid } from "../../shared/kernel/errors";
import type { CheckNumbers } from "../operations/check-numbers";

export const checkNumbersHandler =
  (checkNumbers: CheckNumbers) =>
  async ({ countryCode, subject }: CheckNumbersRequest): Promise<CheckNumbersResponse> => {
    if (subject === undefined) throw invalid([{ field: "subject", message: "is required" }]);
    return { findings: await checkNumbers(countryCode, subject) };
  };
