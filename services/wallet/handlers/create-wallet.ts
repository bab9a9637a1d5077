import type { CreateWalletRequest, CreateWalletResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { CreateWallet } from "../operations/create-wallet";
import { decodeBody, encodeWallet } from "./codec";

export const createWalletHandler =
  (createWallet: CreateWallet) =>
  async ({ tenant, bodyJson }: CreateWalletRequest): Promise<CreateWalletResponse> => ({
    wallet: encodeWallet(await createWallet(tenant, decodeBody(bodyJson))),
  });
