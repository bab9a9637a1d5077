import type {
  AddPayoutAccountRequest,
  AddPayoutAccountResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { AddPayoutAccount } from "../operations/add-payout-account";
import { decodeGiven, encodeAccount } from "./account-codec";

export const addPayoutAccountHandler =
  (addAccount: AddPayoutAccount) =>
  async (request: AddPayoutAccountRequest): Promise<AddPayoutAccountResponse> => {
    const { tenant, agentId, participantId } = request;
    const account = await addAccount({ tenant, agentId, participantId, given: decodeGiven(request) });
    return { account: encodeAccount(account) };
  };
