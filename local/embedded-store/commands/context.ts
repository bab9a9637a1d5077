import type { CursorTable } from "../cursors";
import { demand } from "../errors";
import type { FailPoints } from "../failpoints";
import type { Sessions } from "../sessions";
import type { Catalog, Collection } from "../storage/catalog";
import type { Database } from "../storage/database";
import type { Transaction } from "../storage/transaction";
import type { Transactions } from "../storage/transactions";
import type { Tally } from "../tally";
import { type Doc, isArray, isDoc, isNumber } from "../values/bson";
import { toNumber, toSafeInteger } from "../values/numbers";
import { requireName } from "../wire/frame";

/** The parts that all commands share. */
export interface Server {
  database: Database;
  catalog: Catalog;
  transactions: Transactions;
  sessions: Sessions;
  cursors: CursorTable;
  failPoints: FailPoints | undefined;
  tally: Tally;
  host: () => string;
  /** Queries that no index serves are refused instead of logged. */
  failOnScan: boolean;
  /** MongoDB version reported to clients. */
  version: string;
  log(level: "info" | "warn" | "error", message: string, details?: Record<string, unknown>): void;
}

/** One command under way. */
export interface Context {
  server: Server;
  transaction: Transaction;
  databaseName: string;
  now: Date;
  deadline: number;
  variables: Readonly<Doc>;
  /** The reply waits until everything up to here is durable: the command's writes and everything that it read. */
  position: number;
}

/** The collection if it exists for this transaction. From now on its schema is fixed until the transaction ends. */
export function findCollection(context: Context, name: unknown): Collection | undefined {
  const namespace = namespaceOf(context, name);
  const { transaction, server } = context;
  const collection = transaction.created.get(namespace) ?? server.catalog.find(namespace);
  if (collection === undefined) return undefined;
  if (!transaction.isImplicit) transaction.used.add(collection);
  context.position = Math.max(context.position, collection.lastWrite);
  return collection;
}

/** The collection to write to; the commit creates a missing one. */
export function obtainCollection(context: Context, name: unknown): Collection {
  const found = findCollection(context, name);
  if (found !== undefined) return found;
  const collection = context.server.catalog.draft(namespaceOf(context, name));
  context.transaction.created.set(collection.namespace, collection);
  return collection;
}

export function namespaceOf(context: Context, name: unknown): string {
  const collection = requireName(name, "collection name");
  const isValid = !collection.includes("$") && !collection.startsWith(".") && !collection.endsWith(".");
  demand(isValid, "InvalidNamespace", `Invalid collection name: ${collection}`);
  return `${context.databaseName}.${collection}`;
}

export function docField(command: Doc, name: string): Doc {
  const value = command[name] ?? {};
  demand(isDoc(value), "TypeMismatch", `BSON field '${name}' is the wrong type, expected type 'object'`);
  return value;
}

export function countField(command: Doc, name: string): number | undefined {
  const value = command[name] ?? undefined;
  const count = toSafeInteger(value);
  demand(value === undefined || count !== undefined, "TypeMismatch", `BSON field '${name}' must be an integer`);
  return count;
}

export function boolField(command: Doc, name: string, otherwise = false): boolean {
  const value = command[name] ?? otherwise;
  return isNumber(value) ? toNumber(value) !== 0 : value === true;
}

export function listField(command: Doc, name: string): unknown[] {
  const value = command[name];
  demand(isArray(value), "TypeMismatch", `BSON field '${name}' must be an array`);
  return value;
}
