import type { CreateWalletRequest, CreateWalletResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { CreateWallet } from "../operations/create-wallet";
import { decodeOpenIntent, type ShowWallet } from "./wallet-codec";

export const createWalletHandler =
  (createWallet: CreateWallet, show: ShowWallet) =>
  async ({ tenant, wallet }: CreateWalletRequest): Promise<CreateWalletResponse> => ({
    wallet: await show(await createWallet(tenant, decodeOpenIntent(wallet))),
  });
