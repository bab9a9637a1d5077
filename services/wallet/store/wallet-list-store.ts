import type { Connection } from "mongoose";
import type { ListPlace } from "../../shared/kernel/list-cursor";
import { driverDb } from "../../shared/storage/mongo";
import { behindPlace, type ListPage, readPage } from "../../shared/storage/read-list";
import type { WalletStatus } from "../domain/account";

/** Selects a tenant's wallets; an undefined field matches everything. */
export interface WalletFilter {
  asset: string | undefined;
  status: WalletStatus | undefined;
}

export interface WalletListStore {
  init(): Promise<void>;
  /** Lists the ids of wallets, the newest first, after a place. `next` is where the page ended while there may be more. */
  list(tenant: string, filter: WalletFilter, page: ListPage): Promise<{ ids: string[]; next: ListPlace | undefined }>;
}

interface ListedAccount {
  _id: string;
  tenant: string;
  asset: string;
  wallet: { status: WalletStatus; createdAt: Date };
}

/** Lists wallets. Their order never changes, so that paging returns each exactly once. */
export function makeWalletListStore(connection: Connection): WalletListStore {
  const accounts = driverDb(connection).collection<ListedAccount>("accounts");
  return {
    async init() {
      const partialFilterExpression = { "wallet.createdAt": { $exists: true } };
      // One index for each combination of filters, so that a page of few matches among many wallets reads no more than it shows.
      for (const asked of [{}, { asset: 1 }, { "wallet.status": 1 }, { asset: 1, "wallet.status": 1 }] as const) {
        const index = { tenant: 1, ...asked, "wallet.createdAt": -1, _id: -1 } as const;
        await accounts.createIndex(index, { partialFilterExpression });
      }
    },
    async list(tenant, { asset, status }, page) {
      const asked = {
        ...(asset === undefined ? {} : { asset }),
        ...(status === undefined ? {} : { "wallet.status": status }),
      };
      const found = accounts
        .find({ tenant, ...asked, ...behindPlace("wallet.createdAt", page) }, { projection: { wallet: 1 } })
        .sort({ "wallet.createdAt": -1, _id: -1 })
        .limit(page.limit + 1);
      const placeOf = ({ _id, wallet }: ListedAccount): ListPlace => ({ createdAt: wallet.createdAt, id: _id });
      const { rows, next } = await readPage(found, page, placeOf);
      return { ids: rows.map(({ _id }) => _id), next };
    },
  };
}
