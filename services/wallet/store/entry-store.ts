import { type Connection, type mongo, Schema } from "mongoose";
import type { ListPlace } from "../../shared/kernel/list-cursor";
import type { KeyedRecord, KeyUse } from "../../shared/storage/key-use";
import { driverDb, type Tx } from "../../shared/storage/mongo";
import { behindPlace, type ListPage, type ListRows, readPage } from "../../shared/storage/read-list";
import {
  anyText,
  date,
  integer,
  listOf,
  mayListOf,
  number,
  oneOf,
  part,
  strictDocument,
  text,
} from "../../shared/storage/stored-fields";
import { lineNames } from "../domain/account";
import { type Entry, entryKinds } from "../domain/entry";
import { type LedgerKeys, renewMark } from "../domain/ledger-keys";
import { type MovementKind, movementKind, walletsOf } from "../domain/movement";
import { inPages } from "./pages";

interface EntryRecord extends Omit<Entry, "id" | "content" | "moves"> {
  _id: string;
  moves: Entry["moves"][number][];
  contentVersion: number;
  hashes: [string, string][];
  /** When it was made, of what lists show: no other entry costs a place in their index. */
  listedAt?: Date;
  /** What it is listed by: its wallets, its kind, and both. */
  listedBy?: string[];
}

/** Which movements of a tenant are listed; what is undefined is not asked for. */
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
  /** Fails with a duplicate key when one of them was written before. */
  add(tx: Tx, entries: readonly Entry[]): Promise<void>;
  /** Entries of a payment, at most 1,000. */
  ofPayment(paymentId: string): Promise<Entry[]>;
  /** Entries that began movements of a tenant's wallets, the newest first, from behind a place on. */
  listed(tenant: string, filter: MovementFilter, page: ListPage): Promise<ListRows<Entry>>;
  /** Every entry, by id. */
  all(): AsyncIterable<Entry>;
}

const entrySchema = new Schema<EntryRecord>(
  {
    _id: text,
    kind: oneOf(entryKinds),
    // Empty for the platform's own accounts.
    tenant: anyText,
    at: date,
    externalId: String,
    description: String,
    label: String,
    links: mayListOf(String),
    eventId: String,
    parent: String,
    paymentId: String,
    expiresAt: Date,
    moves: listOf(part({ account: text, line: oneOf(lineNames), minor: integer })),
    contentVersion: number,
    // Pairs of a field's name and its hash.
    hashes: listOf([String]),
    receipt: part({ form: number, asset: text }),
    facts: String,
    mark: text,
    listedAt: Date,
    listedBy: mayListOf(String),
  },
  strictDocument,
)
  .index({ paymentId: 1, _id: 1 }, { partialFilterExpression: { paymentId: { $exists: true } } })
  .index({ tenant: 1, listedAt: -1, _id: -1 }, { partialFilterExpression: { listedAt: { $exists: true } } })
  // A page of few among many reads no more than it shows.
  .index(
    { tenant: 1, listedBy: 1, listedAt: -1, _id: -1 },
    { partialFilterExpression: { listedAt: { $exists: true } } },
  );

/** What is to be marked by the newest key. */
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

/** The journal. Entries are only ever added, and marked anew by a newer key; the unique `_id` is what makes a request happen once. */
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
    async add({ session }, added) {
      await entries.insertMany(added.map(toRecord), { session });
    },
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

const toRecord = ({ id, content, moves, ...entry }: Entry): EntryRecord => ({
  _id: id,
  ...entry,
  moves: [...moves],
  contentVersion: content.version,
  hashes: Object.entries(content.hashes),
  ...listed({ ...entry, moves }),
});

/** A wallet, a kind of movement, or both, as one word. */
const listWord = (walletId: string | undefined, kind: MovementKind | undefined): string =>
  `${walletId ?? ""}/${kind ?? ""}`;

function listed(entry: Pick<Entry, "kind" | "moves" | "at">): Pick<EntryRecord, "listedAt" | "listedBy"> {
  const kind = movementKind(entry);
  if (kind === undefined) return {};
  const words = walletsOf(entry).flatMap((id) => [listWord(id, undefined), listWord(id, kind)]);
  return { listedAt: entry.at, listedBy: [...words, listWord(undefined, kind)] };
}

const toEntry = ({
  _id,
  contentVersion,
  hashes,
  externalId,
  description,
  label,
  links,
  eventId,
  facts,
  parent,
  paymentId,
  expiresAt,
  receipt,
  listedAt: _listed,
  listedBy: _words,
  ...entry
}: EntryRecord): Entry => ({
  ...entry,
  id: _id,
  externalId,
  description,
  label,
  links,
  eventId,
  facts,
  parent,
  paymentId,
  expiresAt,
  receipt,
  content: { version: contentVersion, hashes: Object.fromEntries(hashes) },
});
