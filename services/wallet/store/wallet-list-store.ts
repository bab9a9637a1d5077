import type { Connection } from "mongoose";
import type { ListPlace } from "../../shared/kernel/list-cursor";
import { driverDb } from "../../shared/storage/mongo";
import { behindPlace, type ListPage, mostOf, readPage } from "../../shared/storage/read-list";
import type { WalletStatus } from "../domain/account";

/** Which wallets of a tenant are listed; what is undefined is not asked for. */
export interface WalletFilter {
  asset: string | undefined;
  status: WalletStatus | undefined;
}

export interface WalletListStore {
  init(): Promise<void>;
  /**
   * Ids of wallets, the newest first, from behind a place on. `next` is where the page ended while there may be more: a page reads
   * at most 20 entries of an index for each wallet that it may show, so it can be short.
   */
  list(tenant: string, filter: WalletFilter, page: ListPage): Promise<{ ids: string[]; next: ListPlace | undefined }>;
}

interface ListedAccount {
  _id: string;
  tenant: string;
  asset: string;
  wallet: { status: WalletStatus; createdAt: Date };
}

/** Lists of wallets. Their order never changes, so that a walk through the pages shows each once. */
export function makeWalletListStore(connection: Connection): WalletListStore {
  const accounts = driverDb(connection).collection<ListedAccount>("accounts");
  return {
    async init() {
      const partialFilterExpression = { "wallet.createdAt": { $exists: true } };
      await accounts.createIndex({ tenant: 1, "wallet.createdAt": -1, _id: -1 }, { partialFilterExpression });
    },
    async list(tenant, { asset, status }, page) {
      const most = mostOf(page, asset !== undefined || status !== undefined);
      const found = accounts
        .find({ tenant, ...behindPlace("wallet.createdAt", page) }, { projection: { tenant: 1, asset: 1, wallet: 1 } })
        .sort({ "wallet.createdAt": -1, _id: -1 })
        .limit(most + 1);
      const { rows, next } = await readPage(
        found,
        { limit: page.limit, most },
        ({ _id, wallet }) => ({ createdAt: wallet.createdAt, id: _id }),
        (account) =>
          (asset ?? account.asset) === account.asset && (status ?? account.wallet.status) === account.wallet.status,
      );
      return { ids: rows.map(({ _id }) => _id), next };
    },
  };
}
