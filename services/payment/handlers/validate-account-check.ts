import type {
  ValidateAccountCheckRequest,
  ValidateAccountCheckResponse,
} from "../../../proto/gen/corridor/payment/v1/check_service";
import type { ValidateAccountCheck } from "../operations/validate-account-check";
import { decodeAccountCheck } from "./account-check-codec";

export const validateAccountCheckHandler =
  (validate: ValidateAccountCheck) =>
  async (request: ValidateAccountCheckRequest): Promise<ValidateAccountCheckResponse> => {
    const { isKnown, differentFields, violations } = await validate(decodeAccountCheck(request));
    return { isKnown, differentFields: [...differentFields], violations: [...violations] };
  };
