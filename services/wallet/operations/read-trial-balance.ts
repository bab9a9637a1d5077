import type { Transact } from "../../shared/mongo";
import type { AccountStore } from "../store/account-store";

export interface ReadTrialBalanceDeps {
  transact: Transact;
  accounts: Pick<AccountStore, "sums">;
}

/** What all accounts of one path and asset hold together, minor units. */
export interface PathSum {
  path: string;
  asset: string;
  minor: bigint;
}

export interface TrialBalance {
  /** By asset, then path; shards added up, all wallets of a tenant as one. */
  paths: PathSum[];
  /** The sum of all accounts of an asset, which must be 0. */
  totals: { asset: string; minor: bigint }[];
}

export type ReadTrialBalance = () => Promise<TrialBalance>;

/** Adds all accounts up as they stand at one instant. */
export const makeReadTrialBalance =
  ({ transact, accounts }: ReadTrialBalanceDeps): ReadTrialBalance =>
  async () => {
    const sums = await transact((tx) => accounts.sums(tx));
    const paths = sums.toSorted((a, b) => compare(a.asset, b.asset) || compare(a.path, b.path));
    const totals = new Map<string, bigint>();
    for (const { asset, minor } of paths) totals.set(asset, (totals.get(asset) ?? 0n) + minor);
    return { paths, totals: Array.from(totals, ([asset, minor]) => ({ asset, minor })) };
  };

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
