import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makeBatch } from "./batch";
import { copyDatabase } from "./copy";
import { makeRecord, operationsIn, patchBetween, patched } from "./record";
import { openRedoLog } from "./redo-log";
import { codes, makeStatements, type Statements } from "./statements";

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

/** Increased with every change of the file format. */
const format = 2;

/**
 * We commit the transaction, and its changes until then are in our own log, so its rollback journal need not survive a clean stop. The page
 * cache is 16 MB; one process owns the file. Rollback data of a part of a transaction stays in memory: there may be no place for temporary
 * files. Deleted data is overwritten, so that it can no longer be read from the file. Documents are stored in order of arrival, and entries
 * refer to them by their number.
 */
const settings = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = PERSIST;
  PRAGMA synchronous = FULL;
  PRAGMA temp_store = MEMORY;
  PRAGMA cache_size = -16384;
  PRAGMA secure_delete = ON;
`;
const schema = `
  CREATE TABLE catalog (id INTEGER PRIMARY KEY, namespace TEXT NOT NULL UNIQUE, options BLOB NOT NULL) STRICT;
  CREATE TABLE indexes (id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL) STRICT;
  CREATE TABLE documents (id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, key BLOB NOT NULL, doc BLOB NOT NULL) STRICT;
  CREATE UNIQUE INDEX documents_by_key ON documents (collection, key);
  CREATE TABLE entries (idx INTEGER NOT NULL, entry BLOB NOT NULL, document INTEGER NOT NULL,
    PRIMARY KEY (idx, entry, document)) STRICT, WITHOUT ROWID;
  CREATE TABLE retries (session BLOB PRIMARY KEY, number INTEGER NOT NULL, is_commit INTEGER NOT NULL,
    reply BLOB NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE mark (mark INTEGER NOT NULL) STRICT;
  INSERT INTO mark VALUES (0);
  PRAGMA user_version = ${format};
`;

export type Database = ReturnType<typeof openDatabase>;

export function openDatabase(dir: string) {
  fs.mkdirSync(dir, { recursive: true });
  const db = openFile(path.join(dir, "store.sqlite"));
  const log = openRedoLog(path.join(dir, "store.redo"));
  syncDirectory(dir);
  const record = makeRecord();
  const statements = makeStatements(db, record);
  const queries = {
    ...documentQueries(db, statements),
    ...entryQueries(db, statements),
    ...catalogQueries(db, statements),
    ...retryQueries(db, statements),
  };
  const mark = Number(db.prepare("SELECT mark FROM mark").get()?.["mark"]);
  // After a crash: acknowledged writes that had not reached the file.
  for (const group of log.groups(mark)) for (const operation of operationsIn(group)) statements.repeat(operation);
  const batch = makeBatch(db, log, record);
  return {
    ...batch,
    ...queries,
    /** Copies everything committed so far into the folder's `copies`, under an unused name. */
    copy: (name: string) => batch.betweenCommits(() => copyDatabase(db, dir, name)),
    async close(): Promise<void> {
      await batch.durable(batch.position());
      batch.end();
      log.clear();
      log.close();
      db.exec("PRAGMA journal_mode = DELETE");
      db.close();
    },
  };
}

/** Opens the file for this process alone, inside a transaction, and never lets another process in. */
function openFile(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec(settings);
  db.exec("BEGIN EXCLUSIVE");
  const found = Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
  const isNew = db.prepare("SELECT name FROM sqlite_schema LIMIT 1").get() === undefined;
  if (isNew) db.exec(schema);
  else if (found !== format)
    throw new Error(`${file} is of format ${found}, and this store reads ${format}: make clean-data`);
  return db;
}

/** A new file survives a power loss only once its directory entry is on disk. */
function syncDirectory(dir: string): void {
  const fd = fs.openSync(dir, "r");
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

const blob = (value: unknown): Uint8Array => (value instanceof Uint8Array ? value : Buffer.alloc(0));

/** Returns a view of the same memory without copying: SQLite's results are new arrays without another owner. */
function buffer(value: unknown): Buffer {
  const bytes = blob(value);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function documentQueries(db: DatabaseSync, { write, special }: Statements) {
  const get = db.prepare("SELECT doc FROM documents WHERE collection = ? AND key = ?");
  const find = db.prepare("SELECT id FROM documents WHERE collection = ? AND key = ?");
  const at = db.prepare("SELECT doc FROM documents WHERE id = ?");
  const range = "SELECT key, doc FROM documents WHERE collection = ? AND key >= ? AND key < ?";
  const up = db.prepare(`${range} ORDER BY key LIMIT ?`);
  const down = db.prepare(`${range} ORDER BY key DESC LIMIT ?`);
  const insert = write(codes.insert, "INSERT INTO documents VALUES (?, ?, ?, ?)");
  const remove = write(codes.remove, "DELETE FROM documents WHERE id = ?");
  const change = db.prepare("UPDATE documents SET doc = ? WHERE id = ?");
  const patch = special(codes.patch, ([id = 0, start, end, middle]) => {
    const before = blob(at.get(id)?.["doc"]);
    change.run(patched(before, { start: Number(start), end: Number(end), middle: blob(middle) }), id);
  });
  const greatest = db.prepare("SELECT max(id) AS number FROM documents");
  let last: number | undefined;
  return {
    getDocument(collection: number, key: Buffer): Uint8Array | undefined {
      const row = get.get(collection, key);
      return row === undefined ? undefined : blob(row["doc"]);
    },
    /** Returns the number of an existing document. */
    numberOf: (collection: number, key: Buffer): number => Number(find.get(collection, key)?.["id"]),
    insertDocument(collection: number, key: Buffer, doc: Uint8Array): number {
      last = (last ?? Number(greatest.get()?.["number"] ?? 0)) + 1;
      insert(last, collection, key, doc);
      return last;
    },
    changeDocument(number: number, before: Uint8Array, after: Uint8Array): void {
      const { start, end, middle } = patchBetween(before, after);
      patch(number, start, end, middle);
      change.run(after, number);
    },
    deleteDocument: (number: number) => remove(number),
    /** One page of documents with lower <= key < upper. */
    documents: (collection: number, lower: Buffer, upper: Buffer, isReverse: boolean, limit: number): Row[] =>
      (isReverse ? down : up)
        .all(collection, lower, upper, limit)
        .map((row) => ({ key: buffer(row["key"]), bytes: blob(row["doc"]) })),
  };
}

/** Below the number of every document. */
export const noDocument = 0;

/** One entry of an index: the bytes of its values, and the number of its document. */
export interface EntryRow extends Row {
  entry: Buffer;
  document: number;
}

function entryQueries(db: DatabaseSync, { write }: Statements) {
  const owners = db.prepare(`SELECT d.key FROM entries e JOIN documents d ON d.id = e.document
    WHERE e.idx = ? AND e.entry = ? LIMIT 2`);
  const joined = `SELECT e.entry, e.document, d.key, d.doc FROM entries e JOIN documents d ON d.id = e.document
    WHERE e.idx = ? AND (e.entry, e.document)`;
  const up = db.prepare(`${joined} > (?, ?) AND e.entry < ? ORDER BY e.entry, e.document LIMIT ?`);
  const down = db.prepare(`${joined} < (?, ?) AND e.entry >= ? ORDER BY e.entry DESC, e.document DESC LIMIT ?`);
  return {
    putEntry: write(codes.putEntry, "INSERT OR IGNORE INTO entries VALUES (?, ?, ?)"),
    deleteEntry: write(codes.deleteEntry, "DELETE FROM entries WHERE idx = ? AND entry = ? AND document = ?"),
    entryOwners: (index: number, entry: Buffer): Buffer[] => owners.all(index, entry).map((row) => buffer(row["key"])),
    /** One page of entries with their documents, from `start` on, up to the other bound of the range. */
    entries: (
      index: number,
      isReverse: boolean,
      start: { entry: Buffer; document: number },
      bound: Buffer,
      limit: number,
    ): EntryRow[] =>
      (isReverse ? down : up).all(index, start.entry, start.document, bound, limit).map((row) => ({
        entry: buffer(row["entry"]),
        document: Number(row["document"]),
        key: buffer(row["key"]),
        bytes: blob(row["doc"]),
      })),
  };
}

function catalogQueries(db: DatabaseSync, { write }: Statements) {
  const collections = db.prepare("SELECT id, namespace, options FROM catalog ORDER BY id");
  const putCollection = write(codes.putCollection, "INSERT INTO catalog VALUES (?, ?, ?)");
  const deleteCollection = write(codes.deleteCollection, "DELETE FROM catalog WHERE id = ?");
  const deleteDocuments = write(codes.deleteDocuments, "DELETE FROM documents WHERE collection = ?");
  const indexes = db.prepare("SELECT id, collection, spec, multikey FROM indexes ORDER BY id");
  const putIndex = write(codes.putIndex, "INSERT INTO indexes VALUES (?, ?, ?, ?)");
  const setMultikey = write(codes.setMultikey, "UPDATE indexes SET multikey = 1 WHERE id = ?");
  const deleteIndex = write(codes.deleteIndex, "DELETE FROM indexes WHERE id = ?");
  const deleteEntries = write(codes.deleteEntries, "DELETE FROM entries WHERE idx = ?");
  return {
    listCollections: () =>
      collections
        .all()
        .map((row) => ({ id: Number(row["id"]), namespace: String(row["namespace"]), options: blob(row["options"]) })),
    putCollection,
    deleteCollection(id: number): void {
      deleteDocuments(id);
      deleteCollection(id);
    },
    listIndexes: () =>
      indexes.all().map((row) => ({
        id: Number(row["id"]),
        collection: Number(row["collection"]),
        spec: blob(row["spec"]),
        isMultikey: row["multikey"] === 1,
      })),
    putIndex: (id: number, collection: number, spec: Uint8Array, isMultikey: boolean) =>
      putIndex(id, collection, spec, Number(isMultikey)),
    setMultikey,
    deleteIndex(id: number): void {
      deleteEntries(id);
      deleteIndex(id);
    },
  };
}

function retryQueries(db: DatabaseSync, { write }: Statements) {
  const get = db.prepare("SELECT number, is_commit, reply FROM retries WHERE session = ?");
  const put = write(codes.putRetry, "INSERT OR REPLACE INTO retries VALUES (?, ?, ?, ?, ?)");
  const prune = write(codes.pruneRetries, "DELETE FROM retries WHERE at < ?");
  return {
    getRetry(session: Buffer): RetryRow | undefined {
      const row = get.get(session);
      if (row === undefined) return undefined;
      return { number: BigInt(String(row["number"])), isCommit: row["is_commit"] === 1, reply: blob(row["reply"]) };
    },
    putRetry: (session: Buffer, { number, isCommit, reply }: RetryRow, at: number) =>
      put(session, number, Number(isCommit), reply, at),
    pruneRetries: prune,
  };
}
