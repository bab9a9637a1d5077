import type {
  ListPayoutAccountsRequest,
  ListPayoutAccountsResponse,
} from "../../../proto/gen/corridor/payment/v1/payment_service";
import type { Participants } from "../ports";
import type { PayoutAccountStore } from "../store/payout-account-store";
import { decodePurpose, encodeAccount } from "./account-codec";

export interface ListPayoutAccountsDeps {
  accounts: Pick<PayoutAccountStore, "list">;
  participants: Participants;
}

/** Lists the accounts that an agent keeps for a person or company. Throws PARTICIPANT_NOT_FOUND unless the tenant has it. */
export const listPayoutAccountsHandler =
  ({ accounts, participants }: ListPayoutAccountsDeps) =>
  async ({ purpose, ...owner }: ListPayoutAccountsRequest): Promise<ListPayoutAccountsResponse> => {
    await participants.require(owner.tenant, owner.participantId);
    return { accounts: (await accounts.list({ ...owner, purpose: decodePurpose(purpose) })).map(encodeAccount) };
  };
