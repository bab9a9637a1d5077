import type { GetWalletRequest, GetWalletResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { requireOwnWallet } from "../domain/rules";
import type { AccountStore } from "../store/account-store";
import type { ShowWallet } from "./wallet-codec";

export const getWalletHandler =
  (accounts: Pick<AccountStore, "find">, show: ShowWallet) =>
  async ({ tenant, walletId }: GetWalletRequest): Promise<GetWalletResponse> => ({
    wallet: await show(requireOwnWallet(await accounts.find(walletId), tenant)),
  });
