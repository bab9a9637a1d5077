import type { CheckAccountRequest, CheckAccountResponse } from "../../../proto/gen/corridor/payment/v1/check_service";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import type { CheckAccount } from "../operations/check-account";

export const checkAccountHandler =
  (checkAccount: CheckAccount) =>
  async ({ tenant, bodyJson }: CheckAccountRequest): Promise<CheckAccountResponse> => {
    const { answer, replayed } = await checkAccount(tenant, parseJsonObject(decodeUtf8(bodyJson)));
    return { bodyJson: answer, replayed };
  };
