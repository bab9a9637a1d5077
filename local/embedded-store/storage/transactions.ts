import { type Doc, decode } from "../values/bson";
import type { Catalog, Collection } from "./catalog";
import type { Database } from "./database";
import { type Change, type History, makeHistory } from "./history";
import { indexKeys, isTouched, keysOf } from "./index-keys";
import { type Locks, makeLocks } from "./locks";
import {
  Blocked,
  difference,
  type Keys,
  keyBytes,
  startTransaction,
  type Transaction,
  type Write,
  writeConflict,
} from "./transaction";

/** Old snapshots may hold this much memory before the oldest is sacrificed. */
const mostHistoryBytes = 256 * 1024 * 1024;

/** A document before a write. */
export interface Old {
  bytes: Uint8Array | undefined;
  keys: Keys;
}

export type Transactions = ReturnType<typeof makeTransactions>;

/** All views of the store: the open transactions, what each sees and writes, and how its writes become visible to all. */
export function makeTransactions(database: Database, catalog: Catalog) {
  const history = makeHistory();
  const locks = makeLocks(database, history);
  const open = new Set<Transaction>();
  let commits = 0;

  function finish(transaction: Transaction, state: "committed" | "aborted"): void {
    transaction.state = state;
    transaction.writes = new Map();
    if (transaction.isImplicit) return;
    open.delete(transaction);
    locks.release(transaction);
    const [oldest] = open;
    history.prune(oldest?.snapshot ?? commits);
    transaction.end();
  }

  /** The first write to the database; from here on `abort` undoes what reached it. */
  function startWriting(transaction: Transaction): void {
    if (transaction.hasWritten) return;
    database.startPart();
    transaction.hasWritten = true;
  }

  function abort(transaction: Transaction | undefined): void {
    if (transaction?.state !== "open") return;
    if (transaction.hasWritten) database.undoPart();
    for (const index of transaction.madeMultikey) index.isMultikey = false;
    finish(transaction, "aborted");
  }

  return {
    ...views(database, history),
    ...writes(database, locks, open, startWriting),
    startWriting,
    abort,
    begin(isImplicit: boolean): Transaction {
      const transaction = startTransaction(isImplicit, commits);
      if (!isImplicit) open.add(transaction);
      return transaction;
    },
    /** Makes all writes visible to all. `alsoWrite` goes into the same SQLite transaction; without writes it is not called. */
    commit(transaction: Transaction, alsoWrite: () => void): void {
      refuseRivalCollections(catalog, transaction);
      if (transaction.hasWritten || transaction.writes.size > 0 || transaction.created.size > 0) {
        startWriting(transaction);
        commits += 1;
        for (const collection of transaction.created.values()) catalog.add(collection);
        const others = open.size - (transaction.isImplicit ? 0 : 1);
        if (others > 0) history.record(commits, changesOf(transaction), [...transaction.uniques.keys()]);
        for (const [collection, writes] of transaction.writes)
          for (const [key, write] of writes) applyWrite(database, transaction, collection, key, write);
        alsoWrite();
        database.keepPart();
      }
      finish(transaction, "committed");
      if (history.size() > mostHistoryBytes) abort([...open][0]);
    },
    /** Schema changes wait until no open transaction has touched the collection. */
    requireUnused(collection: Collection): void {
      for (const transaction of open) if (transaction.used.has(collection)) throw new Blocked(transaction);
    },
    openCount: () => open.size,
  };
}

/** A transaction's view. */
function views(database: Database, history: History) {
  const ownWrite = ({ writes }: Transaction, collection: Collection, key: string) => writes.get(collection)?.get(key);
  return {
    /** The document as this transaction sees it. */
    read(transaction: Transaction, collection: Collection, key: string): Uint8Array | undefined {
      const write = ownWrite(transaction, collection, key);
      if (write !== undefined) return write.after;
      const image = transaction.isImplicit ? undefined : history.imageAt(collection.id, key, transaction.snapshot);
      return image === undefined ? database.getDocument(collection.id, keyBytes(key)) : image.bytes;
    },
    /**
     * Entries of the document before a write of some fields, or of any unless they are named; to be called before the decoded
     * document is changed in place.
     */
    keysBefore(
      transaction: Transaction,
      collection: Collection,
      key: string,
      doc: Doc | undefined,
      changed?: ReadonlySet<string>,
    ): Keys {
      const known = ownWrite(transaction, collection, key)?.afterKeys;
      if (doc === undefined) return known ?? [];
      return collection.indexes.map((index, at) =>
        isTouched(index, changed) ? (known?.[at] ?? indexKeys(index, doc)) : undefined,
      );
    },
    /** Keys whose documents this view may see differently from the committed rows. */
    differing(transaction: Transaction, collection: Collection): Set<string> {
      const keys = new Set(transaction.writes.get(collection)?.keys());
      if (transaction.isImplicit) return keys;
      for (const key of history.changedKeys(collection.id))
        if (history.imageAt(collection.id, key, transaction.snapshot) !== undefined) keys.add(key);
      return keys;
    },
  };
}

/** The writes of a transaction. */
function writes(
  database: Database,
  locks: Locks,
  open: ReadonlySet<Transaction>,
  startWriting: (transaction: Transaction) => void,
) {
  return {
    /** Writes `after`, or removes the document when it is undefined. Conflicts and duplicates are found here, not at commit. */
    write(
      transaction: Transaction,
      collection: Collection,
      key: string,
      old: Old,
      after: Uint8Array | undefined,
      doc?: Doc,
      changed?: ReadonlySet<string>,
    ): void {
      locks.holdDocument(transaction, collection, key);
      const next = after === undefined ? [] : keysOf(collection.indexes, doc ?? decode(after), changed);
      locks.moveUniques(transaction, collection, key, old.keys, next, doc ?? {});
      const write: Write = { before: old.bytes, after, beforeKeys: old.keys, afterKeys: next };
      if (!transaction.isImplicit) {
        overlay(transaction, collection, key, write);
        return;
      }
      startWriting(transaction);
      if (open.size > 0) transaction.changes.push({ collection: collection.id, key, before: old.bytes });
      else transaction.uniques.clear();
      applyWrite(database, transaction, collection, key, write);
    },
    /** For writes without effect: they too must not overlook a concurrent change. */
    requireFree: locks.holdDocument,
  };
}

function overlay({ writes }: Transaction, collection: Collection, key: string, write: Write): void {
  const ofCollection = writes.get(collection) ?? new Map<string, Write>();
  writes.set(collection, ofCollection);
  const earlier = ofCollection.get(key);
  ofCollection.set(key, earlier === undefined ? write : joined(earlier, write, collection.indexes.length));
}

/** Merges two writes of one document. A part that only one of them has touched is taken from that write. */
function joined(earlier: Write, later: Write, indexes: number): Write {
  const each = (pick: (at: number) => Buffer[] | undefined): Keys =>
    Array.from({ length: indexes }, (_, at) => pick(at));
  const { before } = earlier;
  const beforeKeys = before === undefined ? [] : each((at) => earlier.beforeKeys[at] ?? later.beforeKeys[at]);
  const afterKeys = later.after === undefined ? [] : each((at) => later.afterKeys[at] ?? earlier.afterKeys[at]);
  return { before, beforeKeys, after: later.after, afterKeys };
}

/** The only reason left to refuse a commit: another writer has created the collection meanwhile. */
function refuseRivalCollections(catalog: Catalog, transaction: Transaction): void {
  for (const namespace of transaction.created.keys()) if (catalog.find(namespace) !== undefined) throw writeConflict();
}

function changesOf({ isImplicit, changes, writes }: Transaction): Change[] {
  if (isImplicit) return changes;
  return [...writes].flatMap(([{ id }, ofCollection]) =>
    [...ofCollection].map(([key, { before }]) => ({ collection: id, key, before })),
  );
}

function applyWrite(
  database: Database,
  transaction: Transaction,
  collection: Collection,
  text: string,
  { before, after, beforeKeys, afterKeys }: Write,
): void {
  collection.lastWrite = database.position();
  const number = applyDocument(database, collection, keyBytes(text), before, after);
  if (number === undefined) return;
  for (const [at, index] of collection.indexes.entries()) {
    const [left, entered] = difference(beforeKeys[at], afterKeys[at]);
    for (const entry of left) database.deleteEntry(index.id, entry, number);
    for (const entry of entered) database.putEntry(index.id, entry, number);
    if (index.isMultikey || (afterKeys[at]?.length ?? 0) <= 1) continue;
    database.setMultikey(index.id);
    index.isMultikey = true;
    transaction.madeMultikey.push(index);
  }
}

/** Returns the number of the document, unless it neither existed before nor exists now. */
function applyDocument(
  database: Database,
  { id }: Collection,
  key: Buffer,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): number | undefined {
  if (before === undefined) return after === undefined ? undefined : database.insertDocument(id, key, after);
  const number = database.numberOf(id, key);
  if (after === undefined) database.deleteDocument(number);
  else database.changeDocument(number, before, after);
  return number;
}
