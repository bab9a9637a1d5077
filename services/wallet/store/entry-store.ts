import type { Connection, mongo } from "mongoose";
import type { ListPlace } from "../../shared/kernel/list-cursor";
import type { KeyedRecord, KeyUse } from "../../shared/storage/key-use";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { insertAll } from "../../shared/storage/one-command";
import { behindPlace, type ListPage, type ListRows, readPage } from "../../shared/storage/read-list";
import type { Entry, Row } from "../domain/entry";
import { type LedgerKeys, renewMark } from "../domain/ledger-keys";
import type { MovementKind } from "../domain/movement";
import { type EntryRecord, entrySchema, listWord, toEntry, toEntryRecords } from "./entry-record";
import { inPages } from "./pages";

/** Selects a tenant's movements; an undefined field matches everything. */
export interface MovementFilter {
  kind: MovementKind | undefined;
  walletId: string | undefined;
  from: Date | undefined;
  until: Date | undefined;
}

export interface EntryStore {
  init(): Promise<void>;
  find(id: string): Promise<Entry | undefined>;
  findMany(ids: readonly string[]): Promise<Map<string, Entry>>;
  load(tx: Tx, ids: readonly string[]): Promise<Entry[]>;
  /**
   * Writes entries with their rows. Fails with a duplicate key when an entry was written before, or another row has the place of one of
   * the rows.
   */
  add(tx: Tx, entries: readonly Entry[], rows: readonly Row[]): Promise<void>;
  /** Returns the entries of a payment, at most 1,000. */
  ofPayment(paymentId: string): Promise<Entry[]>;
  /** Lists the entries that began movements of a tenant's wallets, the newest first, after a place. */
  listed(tenant: string, filter: MovementFilter, page: ListPage): Promise<ListRows<Entry>>;
  /** Yields every entry, by id. */
  all(): AsyncIterable<Entry>;
}

/** Returns what is to be marked by the newest key. */
export const markedEntries = (ring: string, keys: LedgerKeys): KeyUse => ({
  ring,
  collection: "entries",
  reads: Object.keys(entrySchema.paths),
  fields: [
    {
      path: "mark",
      renew(_mark, record) {
        const text = renewMark(keys, toEntry(record as KeyedRecord & EntryRecord));
        return text === undefined ? { state: "newest" } : { state: "renewed", text };
      },
    },
  ],
});

/** The journal. Entries are only ever added, and marked anew by a newer key; the unique `_id` makes a request take effect once. */
export function makeEntryStore(connection: Connection): EntryStore {
  const model = connection.model("Entry", entrySchema, "entries");
  const entries = driverDb(connection).collection<EntryRecord>("entries");
  const findAll = async (ids: readonly string[], options: mongo.FindOptions = {}): Promise<Entry[]> =>
    ids.length === 0 ? [] : (await entries.find({ _id: { $in: [...ids] } }, options).toArray()).map(toEntry);
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(id) {
      const record = await entries.findOne({ _id: id });
      return record === null ? undefined : toEntry(record);
    },
    findMany: async (ids) => new Map((await findAll(ids)).map((entry) => [entry.id, entry])),
    load: ({ session }, ids) => findAll(ids, { session }),
    add: (tx, added, rows) => insertAll(tx, entries, toEntryRecords(added, rows)),
    async ofPayment(paymentId) {
      const found = entries.find({ paymentId }).sort({ paymentId: 1, _id: 1 }).limit(1_000);
      return (await found.toArray()).map(toEntry);
    },
    async listed(tenant, { kind, walletId, ...range }, page) {
      const asked = kind === undefined && walletId === undefined ? {} : { listedBy: listWord(walletId, kind) };
      const found = entries
        .find({ tenant, ...asked, ...behindPlace("listedAt", page, range) })
        .sort({ listedAt: -1, _id: -1 })
        .limit(page.limit + 1);
      const placeOf = ({ _id: id, at }: EntryRecord): ListPlace => ({ createdAt: at, id });
      const { rows, next } = await readPage(found, page, placeOf);
      return { rows: rows.map(toEntry), next };
    },
    async *all() {
      const page = (after: string, limit: number) =>
        entries
          .find({ _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(limit);
      for await (const record of inPages<EntryRecord>(page)) yield toEntry(record);
    },
  };
}
