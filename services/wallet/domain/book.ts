import type { KeyObject } from "node:crypto";
import { DomainError } from "../../shared/kernel/errors";
import {
  type Account,
  availableOf,
  heldOf,
  type LineName,
  platformAccount,
  totalOf,
  type WalletAccount,
} from "./account";
import type { Release } from "./command";
import { type Entry, entrySeed, factsOf, markOf, type Row, rowHash } from "./entry";
import type { WalletEvent } from "./wallet-event";

/** The input of one commit: the stored accounts and entries that its commands name. */
export interface BookContent {
  accounts: Iterable<Account>;
  entries: Iterable<Entry>;
  now: Date;
  /** Which shard of platform accounts this writer uses. */
  shard: number;
  /** Key of the marks. */
  key: KeyObject;
}

/** An account that a commit changed, and its state before; undefined when the commit opened it. */
export interface ChangedAccount {
  account: Account;
  before: Account | undefined;
}

/** Everything that one commit adds to the ledger. */
export interface BookChanges {
  accounts: ChangedAccount[];
  entries: Entry[];
  rows: Row[];
  events: WalletEvent[];
  /** Parts of promises that are no longer needed. */
  releases: Release[];
}

/** An entry before the book has given it its time. */
export type Draft = Omit<Entry, "at" | "facts" | "mark"> & { traceparent: string };

/** The ledger in memory for the duration of one commit. It knows no store; a refused command leaves no trace. */
export interface Book {
  readonly now: Date;
  account(id: string): Account | undefined;
  entry(id: string): Entry | undefined;
  /** This writer's shard of a platform account, which need not exist yet. */
  platform(path: string, asset: string): Account;
  /** Writes an entry. `accounts` are the new accounts and those with changed wallet facts; their lines are ignored. */
  post(draft: Draft, accounts?: readonly Account[], releases?: readonly Release[]): Entry;
  changes(): BookChanges;
}

export function makeBook({ accounts, entries, now, shard, key }: BookContent): Book {
  const accountById = new Map(Array.from(accounts, (account) => [account.id, account]));
  const accountBefore = new Map(accountById);
  const entryById = new Map(Array.from(entries, (entry) => [entry.id, entry]));
  const changed = new Set<string>();
  const added: Omit<BookChanges, "accounts"> = { entries: [], rows: [], events: [], releases: [] };
  return {
    now,
    account: (id) => accountById.get(id),
    entry: (id) => entryById.get(id),
    platform(path, asset) {
      const empty = platformAccount(path, asset, shard);
      return accountById.get(empty.id) ?? empty;
    },
    post({ traceparent, ...facts }, given = [], releases = []) {
      if (entryById.has(facts.id)) throw new Error(`the entry ${facts.id} is in the book`);
      const touched = new Map(given.map((account) => [account.id, account]));
      for (const { account: id } of facts.moves) {
        const account = touched.get(id) ?? accountById.get(id);
        if (account === undefined) throw new Error(`the account ${id} is not in the book`);
        touched.set(id, account);
      }
      const at = latest([now, ...Array.from(touched.values(), ({ lastAt }) => lastAt)]);
      const changedAccount = facts.moves.find(({ line }) => line === "status")?.account ?? "";
      const about = touched.get(changedAccount);
      const written = { ...facts, at, facts: about && factsOf(about) };
      const seed = entrySeed(key, written);
      const entry: Entry = { ...written, mark: markOf(seed) };
      requireBalanced(entry, touched);
      const { after, rows } = applyMoves(entry, seed, touched);
      for (const account of after) {
        requireFloor(account);
        accountById.set(account.id, account);
        changed.add(account.id);
        if (account.wallet !== undefined) {
          added.events.push(eventOf(entry, { ...account, wallet: account.wallet }, traceparent));
        }
      }
      entryById.set(entry.id, entry);
      added.entries.push(entry);
      added.rows.push(...rows);
      added.releases.push(...releases);
      return entry;
    },
    changes: () => ({
      ...added,
      accounts: [...changed].flatMap((id) => {
        const account = accountById.get(id);
        return account === undefined ? [] : [{ account, before: accountBefore.get(id) }];
      }),
    }),
  };
}

/** The latest time: an account's history never goes back in time, whatever the clock does. */
const latest = (times: readonly Date[]): Date => times.reduce((a, b) => (b > a ? b : a));

/** Requires double entry: what leaves one account enters another of the same asset. */
function requireBalanced({ id, moves }: Entry, accounts: ReadonlyMap<string, Account>): void {
  const sums = new Map<string, bigint>();
  for (const { account, line, minor } of moves) {
    const asset = accounts.get(account)?.asset ?? "";
    if (line === "settled") sums.set(asset, (sums.get(asset) ?? 0n) + minor);
  }
  if ([...sums.values()].some((sum) => sum !== 0n)) throw new Error(`the entry ${id} does not add up to zero`);
}

function applyMoves(
  entry: Entry,
  seed: string,
  accounts: ReadonlyMap<string, Account>,
): { after: Account[]; rows: Row[] } {
  const after = new Map(
    Array.from(accounts, ([id, account]) => [id, { ...account, version: account.version + 1, lastAt: entry.at }]),
  );
  const rows = entry.moves.flatMap(({ account: id, line: name, minor }) => {
    const account = after.get(id);
    if (account === undefined) return [];
    const line = account.lines[name];
    const sum = requireInt64(line.minor + minor);
    const row = { account: id, line: name, seq: line.seq + 1, entry: entry.id, minor, after: sum, at: entry.at };
    const hash = rowHash(line.head, seed, row);
    after.set(id, { ...account, lines: { ...account.lines, [name]: { minor: sum, seq: row.seq, head: hash } } });
    return [{ ...row, hash }];
  });
  return { after: [...after.values()], rows };
}

const maxInt64 = 2n ** 63n - 1n;

function requireInt64(minor: bigint): bigint {
  if (minor <= maxInt64 && minor >= -maxInt64) return minor;
  const message = "is more than an account can hold";
  throw new DomainError("INVALID_ARGUMENT", `amount ${message}`, { violations: [{ field: "amount", message }] });
}

/** The last guard: commands have already refused this with a better reason. */
function requireFloor(account: Account): void {
  const { debitHolds, creditHolds } = account.lines;
  const isBelow = availableOf(account) < 0n || debitHolds.minor < 0n || creditHolds.minor < 0n;
  if (account.wallet !== undefined && isBelow) throw new Error(`the wallet ${account.id} would go below zero`);
}

const eventOf = (entry: Entry, account: WalletAccount, traceparent: string): WalletEvent => ({
  id: `${entry.id}/${account.id}`,
  tenant: account.tenant,
  walletId: account.id,
  sequence: account.version,
  occurredAt: entry.at,
  traceparent,
  kind: entry.kind,
  entryId: entry.id,
  externalId: entry.externalId,
  asset: account.asset,
  settledChange: sumOf(entry, account.id, (line) => line === "settled"),
  heldChange: sumOf(entry, account.id, (line) => line !== "settled"),
  status: account.wallet.status,
  available: availableOf(account),
  held: heldOf(account),
  total: totalOf(account),
});

const sumOf = ({ moves }: Entry, id: string, isCounted: (line: LineName) => boolean): bigint =>
  moves.reduce((sum, { account, line, minor }) => (account === id && isCounted(line) ? sum + minor : sum), 0n);
