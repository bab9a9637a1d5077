import fs from "node:fs";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { messageOf } from "../values/bson";

/**
 * All SQL of the store, on one connection. Writes of many commands share one SQLite transaction: it is committed and
 * the write-ahead log is brought to disk when somebody waits for durability, and everybody who waits shares that sync.
 */

export interface Row {
  key: Buffer;
  bytes: Uint8Array;
}

export interface EntryRow {
  entry: Buffer;
  key: Buffer;
  bytes: Uint8Array;
}

export interface RetryRow {
  number: bigint;
  isCommit: boolean;
  reply: Uint8Array;
}

const schema = `
  CREATE TABLE IF NOT EXISTS catalog (id INTEGER PRIMARY KEY, namespace TEXT NOT NULL UNIQUE, options BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS indexes (id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS documents (collection INTEGER NOT NULL, key BLOB NOT NULL, doc BLOB NOT NULL,
    PRIMARY KEY (collection, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS entries (idx INTEGER NOT NULL, entry BLOB NOT NULL, key BLOB NOT NULL,
    PRIMARY KEY (idx, entry, key)) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS retries (session BLOB PRIMARY KEY, number INTEGER NOT NULL, is_commit INTEGER NOT NULL,
    reply BLOB NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** NORMAL leaves the sync of the log to us; the page cache is 16 MB; one process owns the file. */
const pragmas = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 4000;
`;

const statements = {
  getDocument: "SELECT doc FROM documents WHERE collection = ? AND key = ?",
  putDocument: "INSERT INTO documents VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET doc = excluded.doc",
  deleteDocument: "DELETE FROM documents WHERE collection = ? AND key = ?",
  documentsUp: "SELECT key, doc FROM documents WHERE collection = ? AND key >= ? AND key < ? ORDER BY key LIMIT ?",
  documentsDown:
    "SELECT key, doc FROM documents WHERE collection = ? AND key >= ? AND key < ? ORDER BY key DESC LIMIT ?",
  countDocuments: "SELECT count(*) AS n FROM documents WHERE collection = ?",
  putEntry: "INSERT OR IGNORE INTO entries VALUES (?, ?, ?)",
  deleteEntry: "DELETE FROM entries WHERE idx = ? AND entry = ? AND key = ?",
  entryOwners: "SELECT key FROM entries WHERE idx = ? AND entry = ? LIMIT 2",
  entriesUp: `SELECT e.entry, e.key, d.doc FROM entries e JOIN documents d ON d.collection = ? AND d.key = e.key
    WHERE e.idx = ? AND (e.entry, e.key) > (?, ?) AND e.entry < ? ORDER BY e.entry, e.key LIMIT ?`,
  entriesDown: `SELECT e.entry, e.key, d.doc FROM entries e JOIN documents d ON d.collection = ? AND d.key = e.key
    WHERE e.idx = ? AND (e.entry, e.key) < (?, ?) AND e.entry >= ? ORDER BY e.entry DESC, e.key DESC LIMIT ?`,
  listCollections: "SELECT id, namespace, options FROM catalog ORDER BY id",
  putCollection: "INSERT INTO catalog VALUES (?, ?, ?)",
  deleteCollection: "DELETE FROM catalog WHERE id = ?",
  deleteDocuments: "DELETE FROM documents WHERE collection = ?",
  listIndexes: "SELECT id, collection, spec, multikey FROM indexes ORDER BY id",
  putIndex: "INSERT INTO indexes VALUES (?, ?, ?, ?)",
  setMultikey: "UPDATE indexes SET multikey = 1 WHERE id = ?",
  deleteIndex: "DELETE FROM indexes WHERE id = ?",
  deleteEntries: "DELETE FROM entries WHERE idx = ?",
  getRetry: "SELECT number, is_commit, reply FROM retries WHERE session = ?",
  putRetry: "INSERT OR REPLACE INTO retries VALUES (?, ?, ?, ?, ?)",
  pruneRetries: "DELETE FROM retries WHERE at < ?",
  begin: "BEGIN IMMEDIATE",
  commit: "COMMIT",
  save: "SAVEPOINT part",
  release: "RELEASE part",
  rollback: "ROLLBACK TO part",
};

type Statements = Record<keyof typeof statements, StatementSync>;
const statementNames = Object.keys(statements) as (keyof typeof statements)[];

export type Database = ReturnType<typeof openDatabase>;

export function openDatabase(dir: string) {
  fs.mkdirSync(dir, { recursive: true });
  const file = path.join(dir, "store.sqlite");
  const db = new DatabaseSync(file);
  db.exec(pragmas);
  db.exec(schema);
  const sql = prepareAll(db);
  syncDirectory(dir);
  const log = fs.openSync(`${file}-wal`, "r+");
  const batch = makeBatch(sql, log);
  return {
    ...documentQueries(sql),
    ...catalogQueries(sql),
    ...batch,
    /** What is written from here on can be undone until `keep`. One command at a time has such a part. */
    startPart(): void {
      batch.startWriting();
      sql.save.run();
    },
    keepPart: () => sql.release.run(),
    undoPart(): void {
      sql.rollback.run();
      sql.release.run();
    },
    async close(): Promise<void> {
      await batch.durable(batch.position());
      db.close();
      fs.closeSync(log);
    },
  };
}

function prepareAll(db: DatabaseSync): Statements {
  const prepared: Partial<Statements> = {};
  for (const name of statementNames) prepared[name] = db.prepare(statements[name]);
  return prepared as Statements;
}

/** A new file survives a power loss only when its directory entry is on disk too. */
function syncDirectory(dir: string): void {
  const fd = fs.openSync(dir, "r");
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

const fdatasync = promisify(fs.fdatasync);

interface Waiter {
  position: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** The open SQLite transaction, and who waits for it to be on disk. Positions count writing commands. */
function makeBatch(sql: Statements, log: number) {
  let isOpen = false;
  let written = 0;
  let durableUpTo = 0;
  let isSyncing = false;
  let waiters: Waiter[] = [];
  let failure: Error | undefined;

  async function sync(): Promise<void> {
    while (isOpen) {
      sql.commit.run();
      isOpen = false;
      const upTo = written;
      await fdatasync(log);
      durableUpTo = upTo;
      const served = waiters.filter(({ position }) => position <= upTo);
      waiters = waiters.filter(({ position }) => position > upTo);
      for (const waiter of served) waiter.resolve();
    }
    isSyncing = false;
  }

  /** After the present turn of the event loop, so that all commands that have arrived share the commit. */
  function scheduleSync(): void {
    if (isSyncing) return;
    isSyncing = true;
    setImmediate(() => void sync().catch(fail));
  }

  /** After a failed commit nobody can know what is on disk, so nothing is promised any more. */
  function fail(error: unknown): void {
    failure = new Error(`the disk refused a commit: ${messageOf(error)}`, { cause: error });
    for (const waiter of waiters) waiter.reject(failure);
    waiters = [];
  }

  return {
    position: () => written,
    startWriting(): void {
      if (failure !== undefined) throw failure;
      if (!isOpen) sql.begin.run();
      isOpen = true;
      written += 1;
      scheduleSync();
    },
    /** Resolves when everything written up to this position survives a power loss. */
    durable(position: number): Promise<void> | undefined {
      if (position <= durableUpTo) return undefined;
      if (failure !== undefined) return Promise.reject(failure);
      return new Promise((resolve, reject) => waiters.push({ position, resolve, reject }));
    },
  };
}

const blob = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : Buffer.alloc(0));

/** A view of the same memory: SQLite's results are fresh arrays that nobody else holds. */
function buffer(value: unknown): Buffer {
  const bytes = blob(value);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Below every document key. An empty blob would be bound as NULL. */
const none = Buffer.alloc(1);

function documentQueries(sql: Statements) {
  return {
    getDocument(collection: number, key: Buffer): Uint8Array | undefined {
      const row = sql.getDocument.get(collection, key);
      return row === undefined ? undefined : blob(row["doc"]);
    },
    putDocument: (collection: number, key: Buffer, doc: Uint8Array) => sql.putDocument.run(collection, key, doc),
    deleteDocument: (collection: number, key: Buffer) => sql.deleteDocument.run(collection, key),
    countDocuments: (collection: number): number => Number(sql.countDocuments.get(collection)?.["n"] ?? 0),
    /** One page of documents with lower <= key < upper. */
    documents(collection: number, lower: Buffer, upper: Buffer, isReverse: boolean, limit: number): Row[] {
      const statement = isReverse ? sql.documentsDown : sql.documentsUp;
      return statement
        .all(collection, lower, upper, limit)
        .map((row) => ({ key: buffer(row["key"]), bytes: blob(row["doc"]) }));
    },
    putEntry: (index: number, entry: Buffer, key: Buffer) => sql.putEntry.run(index, entry, key),
    deleteEntry: (index: number, entry: Buffer, key: Buffer) => sql.deleteEntry.run(index, entry, key),
    entryOwners: (index: number, entry: Buffer): Buffer[] =>
      sql.entryOwners.all(index, entry).map((row) => buffer(row["key"])),
    /** One page of entries with their documents, from `start` on, up to the other bound of the range. */
    entries(place: EntryPlace, start: { entry: Buffer; key?: Buffer }, bound: Buffer, limit: number): EntryRow[] {
      const statement = place.isReverse ? sql.entriesDown : sql.entriesUp;
      return statement
        .all(place.collection, place.index, start.entry, start.key ?? none, bound, limit)
        .map((row) => ({ entry: buffer(row["entry"]), key: buffer(row["key"]), bytes: blob(row["doc"]) }));
    },
  };
}

export interface EntryPlace {
  collection: number;
  index: number;
  isReverse: boolean;
}

function catalogQueries(sql: Statements) {
  return {
    listCollections: () =>
      sql.listCollections
        .all()
        .map((row) => ({ id: Number(row["id"]), namespace: String(row["namespace"]), options: blob(row["options"]) })),
    putCollection: (id: number, namespace: string, options: Uint8Array) =>
      sql.putCollection.run(id, namespace, options),
    deleteCollection(id: number): void {
      sql.deleteDocuments.run(id);
      sql.deleteCollection.run(id);
    },
    listIndexes: () =>
      sql.listIndexes.all().map((row) => ({
        id: Number(row["id"]),
        collection: Number(row["collection"]),
        spec: blob(row["spec"]),
        isMultikey: row["multikey"] === 1,
      })),
    putIndex: (id: number, collection: number, spec: Uint8Array, isMultikey: boolean) =>
      sql.putIndex.run(id, collection, spec, isMultikey ? 1 : 0),
    setMultikey: (id: number) => sql.setMultikey.run(id),
    deleteIndex(id: number): void {
      sql.deleteEntries.run(id);
      sql.deleteIndex.run(id);
    },
    getRetry(session: Buffer): RetryRow | undefined {
      const row = sql.getRetry.get(session);
      if (row === undefined) return undefined;
      return { number: BigInt(String(row["number"])), isCommit: row["is_commit"] === 1, reply: blob(row["reply"]) };
    },
    putRetry: (session: Buffer, retry: RetryRow, at: number) =>
      sql.putRetry.run(session, retry.number, retry.isCommit ? 1 : 0, retry.reply, at),
    pruneRetries: (before: number) => sql.pruneRetries.run(before),
  };
}
