import type { Connection } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import type { ListPlace } from "../../shared/kernel/list-cursor";
import { driverDb } from "../../shared/storage/mongo";
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
  list(
    tenant: string,
    filter: WalletFilter,
    page: { after: ListPlace | undefined; limit: number },
  ): Promise<{ ids: string[]; next: ListPlace | undefined }>;
}

interface ListedAccount {
  _id: string;
  tenant: string;
  asset: string;
  wallet: { status: WalletStatus; createdAt: Date };
}

/** Entries that are read at most for each wallet of a page, beside the one behind the page and the wallet itself. */
const walkedPerRow = 18;

/** Lists of wallets. Their order never changes, so that a walk through the pages shows each once. */
export function makeWalletListStore(connection: Connection): WalletListStore {
  const accounts = driverDb(connection).collection<ListedAccount>("accounts");
  return {
    async init() {
      const partialFilterExpression = { "wallet.createdAt": { $exists: true } };
      await accounts.createIndex({ tenant: 1, "wallet.createdAt": -1, _id: -1 }, { partialFilterExpression });
    },
    async list(tenant, { asset, status }, { after, limit }) {
      const bounds = after === undefined ? { $gt: beginningOfTime } : { $gt: beginningOfTime, $lte: after.createdAt };
      const behind =
        after === undefined
          ? {}
          : { $or: [{ "wallet.createdAt": { $lt: after.createdAt } }, { _id: { $lt: after.id } }] };
      const most = asset === undefined && status === undefined ? limit : walkedPerRow * limit;
      const found = accounts
        .find({ tenant, "wallet.createdAt": bounds, ...behind }, { projection: { tenant: 1, asset: 1, wallet: 1 } })
        .sort({ "wallet.createdAt": -1, _id: -1 })
        .limit(most + 1);
      const ids: string[] = [];
      let last: ListPlace | undefined;
      let read = 0;
      for await (const { _id, asset: own, wallet } of found) {
        if (ids.length === limit || read === most) return { ids, next: last };
        read += 1;
        last = { createdAt: wallet.createdAt, id: _id };
        if ((asset ?? own) === own && (status ?? wallet.status) === wallet.status) ids.push(_id);
      }
      return { ids, next: undefined };
    },
  };
}
