import type { Transact } from "../../shared/storage/mongo";
import type { AccountStore } from "../store/account-store";
import type { RowStore } from "../store/row-store";
import { settledAt } from "./settled-at";

export interface ReadAccountBalancesDeps {
  transact: Transact;
  accounts: Pick<AccountStore, "ofPath">;
  rows: Pick<RowStore, "lastBefore">;
}

/** What an account holds of an asset, minor units. */
export interface AssetBalance {
  asset: string;
  minor: bigint;
}

export type ReadAccountBalances = (path: string, asOf: Date | undefined) => Promise<AssetBalance[]>;

/** Adds up the shards of a path by asset, all at one instant: now, or the end of a past one. */
export const makeReadAccountBalances =
  ({ transact, accounts, rows }: ReadAccountBalancesDeps): ReadAccountBalances =>
  async (path, asOf) => {
    const shards = await transact((tx) => accounts.ofPath(path, tx));
    const held = await Promise.all(
      shards.map(async (shard) => ({ asset: shard.asset, minor: await settledAt(rows, shard, asOf) })),
    );
    const sums = new Map<string, bigint>();
    for (const { asset, minor } of held) sums.set(asset, (sums.get(asset) ?? 0n) + minor);
    return Array.from(sums, ([asset, minor]) => ({ asset, minor }))
      .filter(({ minor }) => minor !== 0n)
      .toSorted((a, b) => (a.asset < b.asset ? -1 : 1));
  };
