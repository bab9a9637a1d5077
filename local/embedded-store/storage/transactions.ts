import { CommandError } from "../errors";
import { type Doc, decode } from "../values/bson";
import type { Catalog, Collection, Index } from "./catalog";
import type { Database } from "./database";
import { makeHistory } from "./history";
import { indexKeys, valuesBehind } from "./index-keys";

/** The entries of a document, index by index in the order of the collection's list. */
type Keys = Buffer[][];

export interface Write {
  before: Uint8Array | undefined;
  after: Uint8Array | undefined;
  beforeKeys: Keys;
  afterKeys: Keys;
}

/**
 * A view of the store with writes of its own. Every command outside a client's transaction runs in an implicit one that
 * begins and ends within the command, so nobody can come in between.
 */
export interface Transaction {
  isImplicit: boolean;
  snapshot: number;
  startedAt: number;
  state: "open" | "committed" | "aborted";
  writes: Map<Collection, Map<string, Write>>;
  /** Unique entries taken (the key of the document) or given up (undefined) by this transaction. */
  uniques: Map<string, string | undefined>;
  held: string[];
  used: Set<Collection>;
  created: Map<string, Collection>;
  /** Resolved when the transaction has ended; writers outside transactions wait for it. */
  ended: Promise<void>;
  end(): void;
}

/** A command outside transactions met something that an open transaction holds. It runs again when that one ended. */
export class Blocked extends Error {
  constructor(readonly holder: Transaction) {
    super("waiting for a transaction");
    this.name = "Blocked";
  }
}

/** Old snapshots may hold this much memory before the oldest is sacrificed. */
const mostHistoryBytes = 256 * 1024 * 1024;

export const keyText = (key: Buffer): string => key.toString("latin1");
export const keyBytes = (text: string): Buffer => Buffer.from(text, "latin1");

const writeConflict = () =>
  new CommandError(
    "WriteConflict",
    "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.",
  );

export type Transactions = ReturnType<typeof makeTransactions>;

export function makeTransactions(database: Database, catalog: Catalog) {
  const history = makeHistory();
  const open = new Set<Transaction>();
  const holds = new Map<string, Transaction>();
  let commits = 0;

  function begin(isImplicit: boolean): Transaction {
    let end = () => {};
    const ended = isImplicit ? alreadyEnded : new Promise<void>((resolve) => (end = resolve));
    const transaction: Transaction = {
      isImplicit,
      snapshot: commits,
      startedAt: Date.now(),
      state: "open",
      writes: new Map(),
      uniques: new Map(),
      held: [],
      used: new Set(),
      created: new Map(),
      ended,
      end,
    };
    if (!isImplicit) open.add(transaction);
    return transaction;
  }

  function finish(transaction: Transaction, state: "committed" | "aborted"): void {
    transaction.state = state;
    transaction.writes = new Map();
    if (transaction.isImplicit) return;
    open.delete(transaction);
    for (const token of transaction.held) holds.delete(token);
    const [oldest] = open;
    history.prune(oldest?.snapshot ?? commits);
    transaction.end();
  }

  function hold(transaction: Transaction, token: string): void {
    const holder = holds.get(token);
    if (holder === transaction) return;
    if (holder !== undefined) throw transaction.isImplicit ? new Blocked(holder) : writeConflict();
    if (transaction.isImplicit) return;
    holds.set(token, transaction);
    transaction.held.push(token);
  }

  function holdDocument(transaction: Transaction, collection: Collection, key: string): void {
    hold(transaction, `d${collection.id}:${key}`);
    if (!transaction.isImplicit && history.imageAt(collection.id, key, transaction.snapshot) !== undefined)
      throw writeConflict();
  }

  /** Refuses an entry that somebody else has; the claim counts once the whole write is accepted. */
  function checkUnique(transaction: Transaction, { collection, index, entry, key, doc }: UniqueClaim): void {
    const token = uniqueToken(index, entry);
    hold(transaction, token);
    if (!transaction.isImplicit && history.uniqueChangedSince(token, transaction.snapshot)) throw writeConflict();
    const taken = transaction.uniques.has(token)
      ? transaction.uniques.get(token)
      : database
          .entryOwners(index.id, entry)
          .map(keyText)
          .find((owner) => owner !== key);
    if (taken !== undefined && taken !== key) throw duplicateKey(collection, index, doc, entry);
  }

  function moveUniques(
    transaction: Transaction,
    collection: Collection,
    key: string,
    old: Keys,
    next: Keys,
    doc: Doc,
  ): void {
    const moves: [string, string | undefined][] = [];
    collection.indexes.forEach((index, at) => {
      if (!index.isUnique) return;
      const [left, entered] = difference(old[at] ?? [], next[at] ?? []);
      for (const entry of left) {
        hold(transaction, uniqueToken(index, entry));
        moves.push([uniqueToken(index, entry), undefined]);
      }
      for (const entry of entered) {
        checkUnique(transaction, { collection, index, entry, key, doc });
        moves.push([uniqueToken(index, entry), key]);
      }
    });
    for (const [token, owner] of moves) transaction.uniques.set(token, owner);
  }

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
    holdDocument(transaction, collection, key);
    const next = after === undefined ? [] : collection.indexes.map((index) => indexKeys(index, doc ?? decode(after)));
    moveUniques(transaction, collection, key, old.keys, next, doc ?? {});
    const writes = transaction.writes.get(collection) ?? new Map<string, Write>();
    transaction.writes.set(collection, writes);
    const earlier = writes.get(key);
    if (earlier === undefined) writes.set(key, { before: old.bytes, after, beforeKeys: old.keys, afterKeys: next });
    else writes.set(key, { ...earlier, after, afterKeys: next });
  }

  /** The only thing that can still refuse a commit: somebody else made the collection meanwhile. */
  function refuseRivalCollections(transaction: Transaction): void {
    for (const namespace of transaction.created.keys())
      if (catalog.find(namespace) !== undefined) throw writeConflict();
  }

  /** Applies all writes in one go. `alsoWrite` goes into the same SQLite transaction; without writes it is not called. */
  function commit(transaction: Transaction, alsoWrite: () => void): void {
    const hasWrites = transaction.writes.size > 0 || transaction.created.size > 0;
    refuseRivalCollections(transaction);
    if (hasWrites) {
      commits += 1;
      database.startWriting();
      for (const collection of transaction.created.values()) catalog.add(collection);
      const others = open.size - (transaction.isImplicit ? 0 : 1);
      if (others > 0) remember(transaction);
      for (const [collection, writes] of transaction.writes) applyWrites(database, catalog, collection, writes);
    }
    if (hasWrites) alsoWrite();
    finish(transaction, "committed");
    if (history.size() > mostHistoryBytes) abortOldest();
  }

  function remember(transaction: Transaction): void {
    const documents: { collection: number; key: string }[] = [];
    const before: (Uint8Array | undefined)[] = [];
    for (const [collection, writes] of transaction.writes) {
      for (const [key, entry] of writes) {
        documents.push({ collection: collection.id, key });
        before.push(entry.before);
      }
    }
    history.record({ number: commits, documents, uniques: [...transaction.uniques.keys()] }, (at) => before[at]);
  }

  function abortOldest(): void {
    const [oldest] = open;
    if (oldest !== undefined) finish(oldest, "aborted");
  }

  return {
    begin,
    read,
    keysBefore,
    write,
    /** For writes that come to nothing: they too must not overlook somebody else's change. */
    requireFree: holdDocument,
    commit,
    abort: (transaction: Transaction) => {
      if (transaction.state === "open") finish(transaction, "aborted");
    },
    /** Keys whose documents this view may see differently from the committed rows. */
    differing(transaction: Transaction, collection: Collection): Set<string> {
      const keys = new Set(transaction.writes.get(collection)?.keys());
      if (transaction.isImplicit) return keys;
      for (const key of history.changedKeys(collection.id)) {
        if (history.imageAt(collection.id, key, transaction.snapshot) !== undefined) keys.add(key);
      }
      return keys;
    },
    /** Schema changes wait until no open transaction has touched the collection. */
    requireUnused(collection: Collection): void {
      for (const transaction of open) if (transaction.used.has(collection)) throw new Blocked(transaction);
    },
    openCount: () => open.size,
  };
}

interface UniqueClaim {
  collection: Collection;
  index: Index;
  entry: Buffer;
  key: string;
  doc: Doc;
}

const uniqueToken = (index: Index, entry: Buffer): string => `u${index.id}:${keyText(entry)}`;

const alreadyEnded = Promise.resolve();

export interface Old {
  bytes: Uint8Array | undefined;
  keys: Keys;
}

/** Entries that are only in the first list, and those only in the second. */
function difference(old: Buffer[], next: Buffer[]): [Buffer[], Buffer[]] {
  return [
    old.filter((entry) => !next.some((other) => other.equals(entry))),
    next.filter((entry) => !old.some((other) => other.equals(entry))),
  ];
}

function applyWrites(database: Database, catalog: Catalog, collection: Collection, writes: Map<string, Write>): void {
  collection.lastWrite = database.position();
  for (const [text, { before, after, beforeKeys, afterKeys }] of writes) {
    const key = keyBytes(text);
    if (after !== undefined) database.putDocument(collection.id, key, after);
    else if (before !== undefined) database.deleteDocument(collection.id, key);
    collection.indexes.forEach((index, at) => {
      const next = afterKeys[at] ?? [];
      if (next.length > 1) catalog.markMultikey(index);
      const [left, entered] = difference(beforeKeys[at] ?? [], next);
      for (const entry of left) database.deleteEntry(index.id, entry, key);
      for (const entry of entered) database.putEntry(index.id, entry, key);
    });
  }
}

export function duplicateKey(collection: Collection, index: Index, doc: Doc, entry: Buffer): CommandError {
  const values = valuesBehind(index, doc, entry);
  const keyValue: Doc = {};
  index.fields.forEach(({ name }, at) => {
    keyValue[name] = values[at] ?? null;
  });
  return duplicateKeyError(collection.namespace, index.name, index.spec["key"], keyValue);
}

export function duplicateKeyError(namespace: string, name: string, keyPattern: unknown, keyValue: Doc): CommandError {
  const shown = Object.keys(keyValue)
    .map((field) => `${field}: ${show(keyValue[field])}`)
    .join(", ");
  return new CommandError(
    "DuplicateKey",
    `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: { ${shown} }`,
    {
      keyPattern,
      keyValue,
    },
  );
}

const show = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value));
