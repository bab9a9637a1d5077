import type { GetBalanceRequest, GetBalanceResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import type { ReadBalance } from "../operations/read-balance";
import { encodeBalance } from "./wallet-codec";

export const getBalanceHandler =
  (readBalance: ReadBalance) =>
  async ({ tenant, walletId, asOf }: GetBalanceRequest): Promise<GetBalanceResponse> => {
    const wallet = await readBalance(tenant, walletId, asOf);
    return { walletId: wallet.id, accountAsset: wallet.asset, balance: encodeBalance(wallet) };
  };
