import type { CheckNumbersRequest, CheckNumbersResponse } from "../../../proto/gen/corridor/schema/v1/schema_service";
import { invalid } from "../../shared/kernel/errors";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import type { CheckNumbers } from "../operations/check-numbers";

export const checkNumbersHandler =
  (checkNumbers: CheckNumbers) =>
  async ({ countryCode, subject }: CheckNumbersRequest): Promise<CheckNumbersResponse> => {
    if (subject === undefined) throw invalid([{ field: "subject", message: "is required" }]);
    const { value } = parseJsonObject(decodeUtf8(subject.value));
    const kind = subject.$case === "paymentJson" ? "payment" : "person";
    return { findings: await checkNumbers(countryCode, kind, value) };
  };
