import type { CheckAccountRequest, CheckAccountResponse } from "../../../proto/gen/corridor/payment/v1/check_service";
import { requireForm } from "../domain/receipt";
import type { CheckAccount } from "../operations/check-account";
import { decodeAccountCheck, encodeAccountCheck } from "./account-check-codec";

export const checkAccountHandler =
  (checkAccount: CheckAccount) =>
  async (request: CheckAccountRequest): Promise<CheckAccountResponse> => {
    const form = requireForm(request.answerForm);
    const { receipt, replayed } = await checkAccount({ ...decodeAccountCheck(request), form });
    return { receipt: encodeAccountCheck(receipt), replayed };
  };
