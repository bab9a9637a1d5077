import type {
  ListPayoutAccountsRequest,
  ListPayoutAccountsResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { PayoutAccountStore } from "../store/payout-account-store";
import { decodePurpose, encodeAccount } from "./account-codec";

export const listPayoutAccountsHandler =
  (accounts: Pick<PayoutAccountStore, "list">) =>
  async ({ purpose, ...owner }: ListPayoutAccountsRequest): Promise<ListPayoutAccountsResponse> => ({
    accounts: (await accounts.list({ ...owner, purpose: decodePurpose(purpose) })).map(encodeAccount),
  });
