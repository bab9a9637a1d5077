import type { KeyObject } from "node:crypto";
import type { FreshDrafts } from "../../shared/bus/fresh-messages";
import type { Clock } from "../../shared/kernel/clock";
import { hasReason } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import { batchCalls, type ItemResult } from "../../shared/process/batch-calls";
import { currentCall } from "../../shared/process/call-context";
import { isDuplicateKey, type Transact, type Tx } from "../../shared/storage/mongo";
import { inOneCommand } from "../../shared/storage/one-command";
import { type Account, externalPath, platformAccount, suspensePath } from "../domain/account";
import { type Book, type BookChanges, makeBook } from "../domain/book";
import { type Command, entriesNeeded } from "../domain/command";
import { decide, type Outcome } from "../domain/decide";
import type { Entry } from "../domain/entry";
import type { Ledger } from "../ports";
import type { AccountStore } from "../store/account-store";
import type { Commit, CommitStore } from "../store/commit-store";
import type { EntryStore } from "../store/entry-store";
import type { HoldExpiryStore } from "../store/hold-expiry-store";
import type { PromiseStore } from "../store/promise-store";
import type { RowStore } from "../store/row-store";
import { type KnownAccounts, makeKnownAccounts } from "./known-accounts";

export interface GroupCommitDeps {
  transact: Transact;
  accounts: Pick<AccountStore, "load" | "save">;
  entries: Pick<EntryStore, "load" | "add">;
  rows: Pick<RowStore, "mark">;
  commits: Pick<CommitStore, "add">;
  expiries: Pick<HoldExpiryStore, "add" | "remove">;
  promises: Pick<PromiseStore, "release">;
  clock: Clock;
  ids: Ids;
  /** Throws while this replica must not write. */
  requireClock(): Promise<void>;
  /** Key of the marks of entries. */
  key: KeyObject;
  /** Number of shards of a platform account. */
  shards: number;
  /** What the ledger knows of accounts, for others to see; by default its own. */
  known?: KnownAccounts;
  /** Receives the commits that have events. */
  news: FreshDrafts<Commit>;
  /** Observes the number of commands in one commit. */
  observe(size: number): void;
}

interface Waiting {
  command: Command;
  traceparent: string;
}

type Verdict = ItemResult<Outcome>;

const batchSize = 64;
const queueLimit = 4_096;
const tries = 8;

/**
 * Carries commands out in groups: what arrives while one group is being written goes into the next, so that a lone command
 * does not wait and many share one transaction. Each command of a group sees the effects of those before it. Platform
 * accounts are sharded by writer: concurrent writers rarely meet there, and a group that loses a conflict takes another
 * shard.
 */
export function makeGroupCommit(deps: GroupCommitDeps): Ledger {
  const takeShard = shardChooser(deps);
  const known = deps.known ?? makeKnownAccounts();

  const write = async (group: readonly Waiting[]): Promise<Verdict[]> => {
    deps.observe(group.length);
    await deps.requireClock();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await commitGroup({ ...deps, known }, group, takeShard, attempt > 1);
      } catch (error) {
        known.doubt();
        if (attempt < tries && isLostRace(error)) continue;
        // It may have been committed despite the error.
        deps.news.doubt();
        throw error;
      }
    }
  };
  const submit = batchCalls(write, { most: batchSize, mostWaiting: queueLimit });
  return { submit: (command) => submit({ command, traceparent: currentCall()?.traceparent ?? "" }) };
}

/** Returns the same shard for each group, and the next one when a group has to be written again. */
function shardChooser({ ids, shards }: GroupCommitDeps): (isRepeat: boolean) => number {
  let shard = ids.bytes(4).readUInt32BE() % shards;
  return (isRepeat) => {
    if (isRepeat) shard = (shard + 1) % shards;
    return shard;
  };
}

/** Another writer was first: with the same request, with the same account, or with the first row of a new account. */
const isLostRace = (error: unknown): boolean => isDuplicateKey(error) || hasReason(error, "VERSION_CONFLICT");

/**
 * Runs one transaction: reads what the group needs, decides each command in turn, and writes the results.
 *
 * Repeats are not looked up first: the unique id of the entry fails the write, and the group is written again with
 * everything looked up (`isSuspicious`). A repeat must not be refused, so the entries of refused commands are looked up
 * as well. Accounts that this process knows are not read: the write fails where one has changed. A decision that does not
 * write the account it depends on is always made on the stored account.
 */
async function commitGroup(
  deps: CommitDeps,
  group: readonly Waiting[],
  takeShard: (isRepeat: boolean) => number,
  isSuspicious: boolean,
): Promise<Verdict[]> {
  let runs = 0;
  let commit: Commit | undefined;
  let written: Account[] = [];
  const verdicts = await deps.transact(async (tx) => {
    runs += 1;
    const shard = takeShard(runs > 1 || isSuspicious);
    const named = group.flatMap(({ command }) => (isSuspicious || hasParent(command) ? entriesNeeded(command) : []));
    const isFirst = runs === 1 && !isSuspicious;
    const guess = isFirst ? await decideAll(deps, tx, group, shard, named) : undefined;
    const trial = guess !== undefined && isBacked(guess) ? guess : await decideAll(read(deps), tx, group, shard, named);
    const refused = group.filter((_waiting, index) => "error" in (trial.verdicts[index] ?? {}));
    const unseen = refused.map(({ command }) => command.id).filter((id) => !named.includes(id));
    const earlier = unseen.length === 0 ? [] : await deps.entries.load(tx, unique(unseen));
    const { verdicts, changes } =
      earlier.length === 0
        ? trial
        : await decideAll(read(deps), tx, group, shard, [...named, ...earlier.map(({ id }) => id)]);
    written = changes.accounts.map(({ account }) => account);
    commit = changes.entries.length > 0 ? await save(deps, tx, changes, shard) : undefined;
    return verdicts;
  });
  deps.known.keep(written);
  if (commit !== undefined && commit.events.length > 0) deps.news.add(commit.id, commit, 0);
  return verdicts;
}

/** True for commands that are about an earlier entry. */
const hasParent = ({ kind }: Command): boolean => kind === "end" || kind === "transfer-void";

type CommitDeps = GroupCommitDeps & { known: KnownAccounts };

/** The decisions about a group, and the accounts that were taken from memory for them. */
interface Decided {
  verdicts: Verdict[];
  changes: BookChanges;
  remembered: ReadonlySet<string>;
}

/** The same dependencies without remembered accounts. */
const read = (deps: CommitDeps): CommitDeps => ({ ...deps, known: { ...deps.known, of: () => [] } });

/** True when the write verifies every remembered account: no command was refused, and each such account is written. */
function isBacked({ verdicts, changes, remembered }: Decided): boolean {
  if (remembered.size === 0) return true;
  const written = new Set(changes.accounts.map(({ account }) => account.id));
  return verdicts.every((verdict) => "value" in verdict) && [...remembered].every((id) => written.has(id));
}

/** Decides a group on a book with the named entries and the accounts that its commands concern. */
async function decideAll(
  deps: CommitDeps,
  tx: Tx,
  group: readonly Waiting[],
  shard: number,
  entryIds: readonly string[],
): Promise<Decided> {
  const commands = group.map(({ command }) => command);
  const entries = await deps.entries.load(tx, unique(entryIds));
  const entryById = new Map(entries.map((entry) => [entry.id, entry]));
  const named = unique(commands.flatMap((command) => accountsNamed(command, entryById, shard)));
  const remembered = new Set<string>();
  const load = async (ids: readonly string[]): Promise<Account[]> => {
    const own = deps.known.of(ids);
    for (const { id } of own) remembered.add(id);
    const others = ids.filter((id) => !remembered.has(id));
    return [...own, ...(others.length === 0 ? [] : await deps.accounts.load(tx, others))];
  };
  const accounts = await load(named);
  const wallets = new Map(accounts.map((account) => [account.id, account]));
  const others = unique(commands.flatMap((command) => externalsOf(command, entryById, wallets, shard)));
  accounts.push(...(await load(others)));
  const book = makeBook({ accounts, entries, now: deps.clock.now(), shard, key: deps.key });
  return { verdicts: group.map((waiting) => evaluate(waiting, book)), changes: book.changes(), remembered };
}

function evaluate({ command, traceparent }: Waiting, book: Book): Verdict {
  try {
    return { value: decide(command, book, traceparent) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function save(deps: GroupCommitDeps, tx: Tx, changes: BookChanges, shard: number): Promise<Commit> {
  const { accounts, entries, rows, events } = changes;
  const touched = accounts.map(({ account }) => account.id);
  const commit = { id: deps.ids.uuid(), at: deps.clock.now(), events, accounts: touched };
  await inOneCommand(tx, async (all) => {
    await deps.accounts.save(all, accounts);
    await deps.entries.add(all, entries, rows);
    await deps.rows.mark(all, rows);
    await deps.expiries.add(all, entries.flatMap(expiryOf));
    await deps.expiries.remove(all, entries.flatMap(endedBy));
    await deps.promises.release(all, changes.releases, shard);
    await deps.commits.add(all, commit);
  });
  return commit;
}

const expiryOf = ({ id, tenant, expiresAt }: Entry) =>
  expiresAt === undefined ? [] : [{ transactionId: id, tenant, expiresAt }];

const endedBy = ({ kind, parent }: Entry): string[] =>
  parent !== undefined && kind !== "transfer-void" && kind !== "release" ? [parent] : [];

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

type Entries = ReadonlyMap<string, Entry>;

/** Accounts that a command names directly or through an earlier entry. */
function accountsNamed(command: Command, entries: Entries, shard: number): string[] {
  switch (command.kind) {
    case "open":
    case "payout-cancel":
      return [];
    case "status":
    case "funds":
      return [command.walletId];
    case "end":
      return accountsOf(entries.get(command.transactionId));
    case "transfer":
      return [command.from, command.to];
    case "transfer-void":
      return accountsOf(entries.get(command.transferId));
    case "payout":
      return [command.walletId, platformAccount(suspensePath, command.amount.currency, shard).id];
    case "posting":
    case "correction":
      return command.postings.map(({ path, asset }) => platformAccount(path, asset, shard).id);
  }
}

const accountsOf = (entry: Entry | undefined): string[] => entry?.moves.map(({ account }) => account) ?? [];

/** The other side of a debit or credit, which has the asset of the wallet. */
function externalsOf(
  command: Command,
  entries: Entries,
  accounts: ReadonlyMap<string, Account>,
  shard: number,
): string[] {
  if (command.kind !== "funds" && command.kind !== "end") return [];
  const ids = command.kind === "funds" ? [command.walletId] : accountsOf(entries.get(command.transactionId));
  return ids.flatMap((id) => {
    const wallet = accounts.get(id);
    return wallet === undefined ? [] : [platformAccount(externalPath(command.tenant), wallet.asset, shard).id];
  });
}
