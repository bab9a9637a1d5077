import { type Connection, type mongo, Schema } from "mongoose";
import { DomainError } from "../../shared/kernel/errors";
import { makeGroupRead } from "../../shared/storage/group-read";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { changeAll, type DocumentChange, insertAll } from "../../shared/storage/one-command";
import { anyText, date, integer, number, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import { type Account, type Line, type LineName, lineNames, type WalletFacts, walletStatuses } from "../domain/account";
import type { ChangedAccount } from "../domain/book";
import { inPages } from "./pages";

interface AccountRecord extends Record<LineName, Line> {
  _id: string;
  tenant: string;
  path: string;
  asset: string;
  version: number;
  lastAt: Date;
  /** Null for a platform account. */
  wallet: WalletFacts | null;
}

export interface AccountStore {
  init(): Promise<void>;
  find(id: string): Promise<Account | undefined>;
  findMany(ids: readonly string[]): Promise<Map<string, Account>>;
  load(tx: Tx, ids: readonly string[]): Promise<Account[]>;
  /** Writes what a commit changed. Throws VERSION_CONFLICT when an account has changed since it was read. */
  save(tx: Tx, changed: readonly ChangedAccount[]): Promise<void>;
  /** Returns the sums of the settled lines by path and asset, all at one instant. */
  sums(tx: Tx): Promise<{ path: string; asset: string; minor: bigint }[]>;
  /** Returns the sum of all shards of a path in an asset, as the transaction sees it. */
  settledOf(tx: Tx, path: string, asset: string): Promise<bigint>;
  /** Returns all shards of a path, in all assets; in a transaction, all at one instant. */
  ofPath(path: string, tx?: Tx): Promise<Account[]>;
  /** Returns the accounts whose path begins with a prefix. */
  ofPaths(prefix: string): Promise<Account[]>;
  /** Yields every account, by id. */
  all(): AsyncIterable<Account>;
}

// The head of a line is empty before its first row.
const line = { type: part({ minor: integer, seq: number, head: anyText }), required: true };
const accountSchema = new Schema<AccountRecord>(
  {
    _id: text,
    // Empty for the platform's own accounts.
    tenant: anyText,
    path: text,
    asset: text,
    version: number,
    lastAt: date,
    settled: line,
    debitHolds: line,
    creditHolds: line,
    status: line,
    wallet: { type: part({ status: oneOf(walletStatuses), createdAt: date, details: text }), default: null },
  },
  strictDocument,
).index({ path: 1, _id: 1 });

/** Stores accounts with their balances, one document each. A balance is always the sum of the account's rows, stored for quick access. */
export function makeAccountStore(connection: Connection): AccountStore {
  const model = connection.model("Account", accountSchema, "accounts");
  const accounts = driverDb(connection).collection<AccountRecord>("accounts");
  const readOne = makeGroupRead(accounts);
  const walk = (options: mongo.FindOptions) =>
    inPages<AccountRecord>((after, limit) =>
      accounts
        .find({ _id: { $gt: after } }, options)
        .sort({ _id: 1 })
        .limit(limit),
    );
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(id) {
      const record = await readOne(id);
      return record === undefined ? undefined : toAccount(record);
    },
    async findMany(ids) {
      const records = ids.length === 0 ? [] : await accounts.find({ _id: { $in: [...new Set(ids)] } }).toArray();
      return new Map(records.map((record) => [record._id, toAccount(record)]));
    },
    async load({ session }, ids) {
      const records = await accounts.find({ _id: { $in: [...ids] } }, { session }).toArray();
      return records.map(toAccount);
    },
    async save(tx, changed) {
      const opened = changed.flatMap(({ account, before }) => (before === undefined ? [toRecord(account)] : []));
      const known = changed.flatMap(({ account, before }) => (before === undefined ? [] : [toUpdate(account, before)]));
      await insertAll(tx, accounts, opened);
      await changeAll(
        tx,
        accounts,
        known,
        () => new DomainError("VERSION_CONFLICT", "another request has just changed an account; try again"),
      );
    },
    async sums({ session }) {
      const sums = new Map<string, { path: string; asset: string; minor: bigint }>();
      const projection = { path: 1, asset: 1, "settled.minor": 1 };
      // Summed here, because the store would turn a sum beyond int64 into a float.
      for await (const { path, asset, settled } of walk({ session, projection })) {
        const sum = sums.get(`${path}/${asset}`);
        sums.set(`${path}/${asset}`, { path, asset, minor: (sum?.minor ?? 0n) + settled.minor });
      }
      return [...sums.values()];
    },
    async settledOf({ session }, path, asset) {
      const records = await accounts.find({ path }, { session }).sort({ path: 1, _id: 1 }).toArray();
      const shards = records.filter((record) => record.asset === asset);
      return shards.reduce((sum, { settled }) => sum + settled.minor, 0n);
    },
    async ofPath(path, tx) {
      const found = accounts.find({ path }, tx === undefined ? {} : { session: tx.session });
      const records = await found.sort({ path: 1, _id: 1 }).toArray();
      return records.map(toAccount);
    },
    async ofPaths(prefix) {
      const filter = { path: { $gte: prefix, $lt: `${prefix}\uffff` } };
      const records = await accounts.find(filter).sort({ path: 1, _id: 1 }).toArray();
      return records.map(toAccount);
    },
    async *all() {
      for await (const record of walk({})) yield toAccount(record);
    },
  };
}

/**
 * Writes the lines that changed, and the wallet's facts when they did. Inside the transaction concurrent writers conflict and run again;
 * version and heads detect a caller with an outdated account. A head is the hash of everything that has happened to its line, so it
 * distinguishes an account that reached the same version in another way, in a store that was restored.
 */
function toUpdate(account: Account, before: Account): DocumentChange {
  const { id, version, lastAt } = account;
  const lines = lineNames.filter((name) => account.lines[name] !== before.lines[name]);
  const changes: Partial<AccountRecord> = { version, lastAt };
  for (const name of lines) changes[name] = account.lines[name];
  if (account.wallet !== before.wallet) changes.wallet = account.wallet ?? null;
  const heads = Object.fromEntries(lineNames.map((name) => [`${name}.head`, before.lines[name].head]));
  return { filter: { _id: id, version: before.version, ...heads }, update: { $set: changes } };
}

const toRecord = ({ id, lines, wallet, ...account }: Account): AccountRecord => ({
  _id: id,
  ...account,
  ...lines,
  wallet: wallet ?? null,
});

const toAccount = ({ _id, settled, debitHolds, creditHolds, status, wallet, ...account }: AccountRecord): Account => ({
  ...account,
  id: _id,
  lines: { settled, debitHolds, creditHolds, status },
  wallet: wallet ?? undefined,
});
