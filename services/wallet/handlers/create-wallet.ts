import type { CreateWalletRequest, CreateWalletResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { CreateWallet } from "../operations/create-wallet";
import { decodeBody, type ShowWallet } from "./codec";

export const createWalletHandler =
  (createWallet: CreateWallet, show: ShowWallet) =>
  async ({ tenant, bodyJson }: CreateWalletRequest): Promise<CreateWalletResponse> => ({
    wallet: await show(await createWallet(tenant, decodeBody(bodyJson))),
  });
