import { type Doc, decode } from "../values/bson";
import type { Catalog, Collection } from "./catalog";
import type { Database } from "./database";
import { type Change, type History, makeHistory } from "./history";
import type { Index } from "./index-definition";
import { indexKeys } from "./index-keys";
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

export type Transactions = ReturnType<typeof makeTransactions>;

/** All views of the store: who is open, what each sees and writes, and how it becomes everybody's. */
export function makeTransactions(database: Database, catalog: Catalog) {
  const history = makeHistory();
  const locks = makeLocks(database, history);
  const open = new Set<Transaction>();
  let commits = 0;

  function begin(isImplicit: boolean): Transaction {
    const transaction = startTransaction(isImplicit, commits);
    if (!isImplicit) open.add(transaction);
    return transaction;
  }

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

  function abort(transaction: Transaction | undefined): void {
    if (transaction?.state !== "open") return;
    if (transaction.hasWritten) {
      database.undoPart();
      for (const index of transaction.madeMultikey) index.isMultikey = false;
    }
    finish(transaction, "aborted");
  }

  /** The first write of an implicit transaction; from here on `abort` undoes what reached the database. */
  function startWriting(transaction: Transaction): void {
    if (transaction.hasWritten) return;
    database.startPart();
    transaction.hasWritten = true;
  }

  /** Makes all writes everybody's. `alsoWrite` goes into the same SQLite transaction; without writes it is not called. */
  function commit(transaction: Transaction, alsoWrite: () => void): void {
    refuseRivalCollections(catalog, transaction);
    if (transaction.hasWritten || transaction.writes.size > 0 || transaction.created.size > 0) {
      startWriting(transaction);
      commits += 1;
      for (const collection of transaction.created.values()) catalog.add(collection);
      const others = open.size - (transaction.isImplicit ? 0 : 1);
      if (others > 0) history.record(commits, changesOf(transaction), [...transaction.uniques.keys()]);
      for (const [collection, writes] of transaction.writes) {
        for (const [key, write] of writes) applyWrite(database, transaction, collection, key, write);
      }
      alsoWrite();
      database.keepPart();
    }
    finish(transaction, "committed");
    if (history.size() > mostHistoryBytes) abort([...open][0]);
  }

  function store(transaction: Transaction, collection: Collection, key: string, write: Write): void {
    startWriting(transaction);
    if (open.size > 0) transaction.changes.push({ collection: collection.id, key, before: write.before });
    else transaction.uniques.clear();
    applyWrite(database, transaction, collection, key, write);
  }

  return {
    ...views(database, history, locks, store),
    begin,
    startWriting,
    commit,
    abort,
    /** Schema changes wait until no open transaction has touched the collection. */
    requireUnused(collection: Collection): void {
      for (const transaction of open) if (transaction.used.has(collection)) throw new Blocked(transaction);
    },
    openCount: () => open.size,
  };
}

type Store = (transaction: Transaction, collection: Collection, key: string, write: Write) => void;

/** What a transaction sees, and how it changes that. */
function views(database: Database, history: History, locks: Locks, store: Store) {
  /** The document as this transaction sees it. */
  function read(transaction: Transaction, collection: Collection, key: string): Uint8Array | undefined {
    const write = transaction.writes.get(collection)?.get(key);
    if (write !== undefined) return write.after;
    const image = transaction.isImplicit ? undefined : history.imageAt(collection.id, key, transaction.snapshot);
    return image === undefined ? database.getDocument(collection.id, keyBytes(key)) : image.bytes;
  }

  /** Entries of the document before this write; call it before the decoded document is changed in place. */
  function keysBefore(transaction: Transaction, collection: Collection, key: string, doc: Doc | undefined): Keys {
    const write = transaction.writes.get(collection)?.get(key);
    if (write !== undefined) return write.afterKeys;
    return doc === undefined ? [] : collection.indexes.map((index) => indexKeys(index, doc));
  }

  /** Writes `after`, or removes the document when it is undefined. Conflicts and duplicates are found here, not at commit. */
  function write(
    transaction: Transaction,
    collection: Collection,
    key: string,
    old: Old,
    after: Uint8Array | undefined,
    doc?: Doc,
  ): void {
    locks.holdDocument(transaction, collection, key);
    const next = after === undefined ? [] : collection.indexes.map((index) => indexKeys(index, doc ?? decode(after)));
    locks.moveUniques(transaction, collection, key, old.keys, next, doc ?? {});
    const change = { before: old.bytes, after, beforeKeys: old.keys, afterKeys: next };
    if (transaction.isImplicit) {
      store(transaction, collection, key, change);
      return;
    }
    const writes = transaction.writes.get(collection) ?? new Map<string, Write>();
    transaction.writes.set(collection, writes);
    const earlier = writes.get(key);
    writes.set(key, earlier === undefined ? change : { ...earlier, after, afterKeys: next });
  }

  return {
    read,
    keysBefore,
    write,
    /** For writes that come to nothing: they too must not overlook somebody else's change. */
    requireFree: locks.holdDocument,
    /** Keys whose documents this view may see differently from the committed rows. */
    differing(transaction: Transaction, collection: Collection): Set<string> {
      const keys = new Set(transaction.writes.get(collection)?.keys());
      if (transaction.isImplicit) return keys;
      for (const key of history.changedKeys(collection.id)) {
        if (history.imageAt(collection.id, key, transaction.snapshot) !== undefined) keys.add(key);
      }
      return keys;
    },
  };
}

export interface Old {
  bytes: Uint8Array | undefined;
  keys: Keys;
}

/** The only thing that can still refuse a commit: somebody else made the collection meanwhile. */
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
  const key = keyBytes(text);
  if (after !== undefined) database.putDocument(collection.id, key, after);
  else if (before !== undefined) database.deleteDocument(collection.id, key);
  collection.indexes.forEach((index, at) => {
    const next = afterKeys[at] ?? [];
    if (next.length > 1) makeMultikey(database, transaction, index);
    const [left, entered] = difference(beforeKeys[at] ?? [], next);
    for (const entry of left) database.deleteEntry(index.id, entry, key);
    for (const entry of entered) database.putEntry(index.id, entry, key);
  });
}

function makeMultikey(database: Database, transaction: Transaction, index: Index): void {
  if (index.isMultikey) return;
  database.setMultikey(index.id);
  index.isMultikey = true;
  transaction.madeMultikey.push(index);
}
