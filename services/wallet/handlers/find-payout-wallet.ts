import type {
  FindPayoutWalletRequest,
  FindPayoutWalletResponse,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { requireActive, requireAsset, requireOwnWallet } from "../domain/rules";
import type { AccountStore } from "../store/account-store";

export const findPayoutWalletHandler =
  (accounts: Pick<AccountStore, "find">) =>
  async ({ tenant, walletId, currency }: FindPayoutWalletRequest): Promise<FindPayoutWalletResponse> => {
    const wallet = requireOwnWallet(await accounts.find(walletId), tenant);
    requireActive(wallet);
    requireAsset(wallet, currency);
    return {};
  };
