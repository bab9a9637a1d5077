import type { Transact } from "../../shared/storage/mongo";
import type { Account } from "../domain/account";
import type { AccountStore } from "../store/account-store";
import type { RowStore } from "../store/row-store";
import { settledAt } from "./settled-at";

export interface ReadTrialBalanceDeps {
  transact: Transact;
  accounts: Pick<AccountStore, "sums" | "all">;
  rows: Pick<RowStore, "lastBefore">;
}

/** Sum of all accounts of one path and asset, minor units. */
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

export type ReadTrialBalance = (asOf: Date | undefined) => Promise<TrialBalance>;

/** Adds up all accounts at one instant: now, or the end of a past one. */
export const makeReadTrialBalance =
  (deps: ReadTrialBalanceDeps): ReadTrialBalance =>
  async (asOf) => {
    const sums = asOf === undefined ? await deps.transact((tx) => deps.accounts.sums(tx)) : await sumsAt(deps, asOf);
    const paths = sums.toSorted((a, b) => compare(a.asset, b.asset) || compare(a.path, b.path));
    const totals = new Map<string, bigint>();
    for (const { asset, minor } of paths) totals.set(asset, (totals.get(asset) ?? 0n) + minor);
    return { paths, totals: Array.from(totals, ([asset, minor]) => ({ asset, minor })) };
  };

/** Accounts that are looked up concurrently. */
const lookUps = 64;

/** Looks up rows only for accounts that changed since. */
async function sumsAt({ accounts, rows }: ReadTrialBalanceDeps, asOf: Date): Promise<PathSum[]> {
  const sums = new Map<string, PathSum>();
  const add = async (account: Account): Promise<void> => {
    const { path, asset } = account;
    const minor = await settledAt(rows, account, asOf);
    const sum = sums.get(`${path}/${asset}`);
    sums.set(`${path}/${asset}`, { path, asset, minor: (sum?.minor ?? 0n) + minor });
  };
  let group: Account[] = [];
  for await (const account of accounts.all()) {
    group.push(account);
    if (group.length < lookUps) continue;
    await Promise.all(group.map(add));
    group = [];
  }
  await Promise.all(group.map(add));
  return [...sums.values()];
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
