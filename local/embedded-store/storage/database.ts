import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeBatch } from "./batch";
import { copyDatabase } from "./copy";

/** All SQL of the store, on one connection. */

export interface Row {
  key: Buffer;
  bytes: Uint8Array;
}

export interface RetryRow {
  number: bigint;
  isCommit: boolean;
  reply: Uint8Array;
}

/**
 * NORMAL leaves the sync of the log to us; the page cache is 16 MB; one process owns the file. What undoes a part of a
 * transaction stays in memory: there may be no place for temporary files. What is deleted is overwritten, so that it cannot be
 * read from the file any more.
 */
const schema = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS catalog (id INTEGER PRIMARY KEY, namespace TEXT NOT NULL UNIQUE, options BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS indexes (id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS documents (collection INTEGER NOT NULL, key BLOB NOT NULL, doc BLOB NOT NULL,
    PRIMARY KEY (collection, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entries (idx INTEGER NOT NULL, entry BLOB NOT NULL, key BLOB NOT NULL,
    PRIMARY KEY (idx, entry, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS retries (session BLOB PRIMARY KEY, number INTEGER NOT NULL, is_commit INTEGER NOT NULL,
    reply BLOB NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

export type Database = ReturnType<typeof openDatabase>;

export function openDatabase(dir: string) {
  fs.mkdirSync(dir, { recursive: true });
  const file = path.join(dir, "store.sqlite");
  const db = new DatabaseSync(file);
  db.exec(schema);
  syncDirectory(dir);
  const log = fs.openSync(`${file}-wal`, "r+");
  const batch = makeBatch(db, log);
  return {
    ...batch,
    /** Copies everything that is committed by now into the folder's `copies`, under a name that has none yet. */
    copy: (name: string) => batch.betweenCommits(() => copyDatabase(db, dir, name)),
    ...documentQueries(db),
    ...entryQueries(db),
    ...catalogQueries(db),
    ...retryQueries(db),
    async close(): Promise<void> {
      await batch.durable(batch.position());
      db.close();
      fs.closeSync(log);
    },
  };
}

/** A new file survives a power loss only when its directory entry is on disk too. */
function syncDirectory(dir: string): void {
  const fd = fs.openSync(dir, "r");
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

const blob = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : Buffer.alloc(0));

/** A view of the same memory: SQLite's results are fresh arrays that nobody else holds. */
function buffer(value: unknown): Buffer {
  const bytes = blob(value);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function documentQueries(db: DatabaseSync) {
  const get = db.prepare("SELECT doc FROM documents WHERE collection = ? AND key = ?");
  const put = db.prepare("INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc");
  const remove = db.prepare("DELETE FROM documents WHERE collection = ? AND key = ?");
  const range = "SELECT key, doc FROM documents WHERE collection = ? AND key >= ? AND key < ?";
  const up = db.prepare(`${range} ORDER BY key LIMIT ?`);
  const down = db.prepare(`${range} ORDER BY key DESC LIMIT ?`);
  return {
    getDocument(collection: number, key: Buffer): Uint8Array | undefined {
      const row = get.get(collection, key);
      return row === undefined ? undefined : blob(row["doc"]);
    },
    putDocument: (collection: number, key: Buffer, doc: Uint8Array) => put.run(collection, key, doc),
    deleteDocument: (collection: number, key: Buffer) => remove.run(collection, key),
    /** One page of documents with lower <= key < upper. */
    documents: (collection: number, lower: Buffer, upper: Buffer, isReverse: boolean, limit: number): Row[] =>
      (isReverse ? down : up)
        .all(collection, lower, upper, limit)
        .map((row) => ({ key: buffer(row["key"]), bytes: blob(row["doc"]) })),
  };
}

export interface EntryPlace {
  collection: number;
  index: number;
  isReverse: boolean;
}

/** Below every document key. An empty blob would be bound as NULL. */
const none = Buffer.alloc(1);

function entryQueries(db: DatabaseSync) {
  const put = db.prepare("INSERT OR IGNORE INTO entries VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM entries WHERE idx = ? AND entry = ? AND key = ?");
  const owners = db.prepare("SELECT key FROM entries WHERE idx = ? AND entry = ? LIMIT 2");
  const joined = `SELECT e.entry, e.key, d.doc FROM entries e JOIN documents d ON d.collection = ? AND d.key = e.key
    WHERE e.idx = ? AND (e.entry, e.key)`;
  const up = db.prepare(`${joined} > (?, ?) AND e.entry < ? ORDER BY e.entry, e.key LIMIT ?`);
  const down = db.prepare(`${joined} < (?, ?) AND e.entry >= ? ORDER BY e.entry DESC, e.key DESC LIMIT ?`);
  return {
    putEntry: (index: number, entry: Buffer, key: Buffer) => put.run(index, entry, key),
    deleteEntry: (index: number, entry: Buffer, key: Buffer) => remove.run(index, entry, key),
    entryOwners: (index: number, entry: Buffer): Buffer[] => owners.all(index, entry).map((row) => buffer(row["key"])),
    /** One page of entries with their documents, from `start` on, up to the other bound of the range. */
    entries: (place: EntryPlace, start: { entry: Buffer; key?: Buffer }, bound: Buffer, limit: number) =>
      (place.isReverse ? down : up)
        .all(place.collection, place.index, start.entry, start.key ?? none, bound, limit)
        .map((row) => ({ entry: buffer(row["entry"]), key: buffer(row["key"]), bytes: blob(row["doc"]) })),
  };
}

function catalogQueries(db: DatabaseSync) {
  const collections = db.prepare("SELECT id, namespace, options FROM catalog ORDER BY id");
  const putCollection = db.prepare("INSERT INTO catalog VALUES (?, ?, ?)");
  const deleteCollection = db.prepare("DELETE FROM catalog WHERE id = ?");
  const deleteDocuments = db.prepare("DELETE FROM documents WHERE collection = ?");
  const indexes = db.prepare("SELECT id, collection, spec, multikey FROM indexes ORDER BY id");
  const putIndex = db.prepare("INSERT INTO indexes VALUES (?, ?, ?, ?)");
  const setMultikey = db.prepare("UPDATE indexes SET multikey = 1 WHERE id = ?");
  const deleteIndex = db.prepare("DELETE FROM indexes WHERE id = ?");
  const deleteEntries = db.prepare("DELETE FROM entries WHERE idx = ?");
  return {
    listCollections: () =>
      collections
        .all()
        .map((row) => ({ id: Number(row["id"]), namespace: String(row["namespace"]), options: blob(row["options"]) })),
    putCollection: (id: number, namespace: string, options: Uint8Array) => putCollection.run(id, namespace, options),
    deleteCollection(id: number): void {
      deleteDocuments.run(id);
      deleteCollection.run(id);
    },
    listIndexes: () =>
      indexes.all().map((row) => ({
        id: Number(row["id"]),
        collection: Number(row["collection"]),
        spec: blob(row["spec"]),
        isMultikey: row["multikey"] === 1,
      })),
    putIndex: (id: number, collection: number, spec: Uint8Array, isMultikey: boolean) =>
      putIndex.run(id, collection, spec, Number(isMultikey)),
    setMultikey: (id: number) => setMultikey.run(id),
    deleteIndex(id: number): void {
      deleteEntries.run(id);
      deleteIndex.run(id);
    },
  };
}

function retryQueries(db: DatabaseSync) {
  const get = db.prepare("SELECT number, is_commit, reply FROM retries WHERE session = ?");
  const put = db.prepare("INSERT OR REPLACE INTO retries VALUES (?, ?, ?, ?, ?)");
  const prune = db.prepare("DELETE FROM retries WHERE at < ?");
  return {
    getRetry(session: Buffer): RetryRow | undefined {
      const row = get.get(session);
      if (row === undefined) return undefined;
      return { number: BigInt(String(row["number"])), isCommit: row["is_commit"] === 1, reply: blob(row["reply"]) };
    },
    putRetry: (session: Buffer, { number, isCommit, reply }: RetryRow, at: number) =>
      put.run(session, number, Number(isCommit), reply, at),
    pruneRetries: (before: number) => prune.run(before),
  };
}
