import type { ListWalletsRequest, ListWalletsResponse } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { WalletStatus } from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { listName, readListCursor, writeListCursor } from "../../shared/kernel/list-cursor";
import { requireOwnWallet } from "../domain/rules";
import type { AccountStore } from "../store/account-store";
import type { WalletListStore } from "../store/wallet-list-store";
import { type ShowWallet, statusCodec } from "./wallet-codec";

export interface ListWalletsDeps {
  walletLists: Pick<WalletListStore, "list">;
  accounts: Pick<AccountStore, "findMany">;
  show: ShowWallet;
}

const maxLimit = 200;

/** Reads straight from the store: there is nothing to decide. */
export const listWalletsHandler =
  ({ walletLists, accounts, show }: ListWalletsDeps) =>
  async ({ tenant, accountAsset, status, after, limit }: ListWalletsRequest): Promise<ListWalletsResponse> => {
    const wanted = status === WalletStatus.UNSPECIFIED ? undefined : statusCodec.decode(status);
    const filter = { asset: accountAsset, status: wanted };
    const list = listName("wallets", { tenant }, filter);
    const { ids, next } = await walletLists.list(tenant, filter, {
      after: after === undefined ? undefined : readListCursor(list, after),
      limit: Math.min(Math.max(limit, 1), maxLimit),
    });
    const found = await accounts.findMany(ids);
    const wallets = ids.map((id) => requireOwnWallet(found.get(id), tenant));
    return { wallets: await Promise.all(wallets.map(show)), next: next && writeListCursor(list, next) };
  };
