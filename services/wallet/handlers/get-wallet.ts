import type { GetWalletRequest, GetWalletResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { requireOwnWallet } from "../domain/rules";
import type { AccountStore } from "../store/account-store";
import { encodeWallet } from "./codec";

export const getWalletHandler =
  (accounts: Pick<AccountStore, "find">) =>
  async ({ tenant, walletId }: GetWalletRequest): Promise<GetWalletResponse> => ({
    wallet: encodeWallet(requireOwnWallet(await accounts.find(walletId), tenant)),
  });
