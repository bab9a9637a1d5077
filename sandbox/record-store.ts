import { createHash } from "node:crypto";
import type { SQLOutputValue } from "node:sqlite";
import type { Database } from "./database";

/** Durable records of one kind, by key, in order of arrival. Saving belongs inside `Database.write`. */
export interface RecordStore<T extends object> {
  find(key: string): T | undefined;
  list(): T[];
  save(key: string, record: T): void;
  remove(key: string): void;
}

/** Opens the records stored under a name of letters. */
export function openRecordStore<T extends object>({ sql }: Database, name: string): RecordStore<T> {
  sql.exec(`CREATE TABLE IF NOT EXISTS ${name} (key TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT`);
  const one = sql.prepare(`SELECT record FROM ${name} WHERE key = ?`);
  const all = sql.prepare(`SELECT record FROM ${name} ORDER BY rowid`);
  const upsert = sql.prepare(
    `INSERT INTO ${name} VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET record = excluded.record`,
  );
  const remove = sql.prepare(`DELETE FROM ${name} WHERE key = ?`);
  // Only `save` writes to this table, so the form is right.
  const parse = (value: SQLOutputValue | undefined): T => JSON.parse(String(value)) as T;
  return {
    find(key) {
      const row = one.get(key);
      return row === undefined ? undefined : parse(row["record"]);
    },
    list: () => all.all().map((row) => parse(row["record"])),
    save(key, record) {
      upsert.run(key, JSON.stringify(record));
    },
    remove(key) {
      remove.run(key);
    },
  };
}

/** Equal for equal content, in any order of keys. */
export const contentHash = (value: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(inOrder(value)))
    .digest("base64url");

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, inOrder(inner)]);
}
