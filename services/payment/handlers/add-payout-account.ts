import type {
  AddPayoutAccountRequest,
  AddPayoutAccountResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import { decodeUtf8, parseJsonObject } from "../../shared/kernel/json";
import type { AddPayoutAccount } from "../operations/add-payout-account";
import { decodePurpose, encodeAccount } from "./account-codec";

export const addPayoutAccountHandler =
  (addAccount: AddPayoutAccount) =>
  async ({ bodyJson, purpose, ...owner }: AddPayoutAccountRequest): Promise<AddPayoutAccountResponse> => {
    const body = parseJsonObject(decodeUtf8(bodyJson)).value;
    return { account: encodeAccount(await addAccount({ ...owner, purpose: decodePurpose(purpose), body })) };
  };
