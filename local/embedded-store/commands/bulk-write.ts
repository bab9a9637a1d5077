import { Int32, Long } from "bson";
import { CommandError, demand } from "../errors";
import { refuseCollation } from "../storage/index-definition";
import { type Doc, encode, isDoc } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import { type Reply, requireName } from "../wire/frame";
import { boolField, type Context, listField } from "./context";
import { insertRaw, isCommandWide, mostStatements, runDelete, runUpdate } from "./write";

/** First MongoDB version with the command. */
const oldestMajor = 8;

type Kind = "insert" | "update" | "delete";

/** Fields of an operation beside its kind, which has the number of its namespace. */
const fields: Readonly<Record<Kind, readonly string[]>> = {
  insert: ["document"],
  update: "filter updateMods multi upsert arrayFilters hint constants collation sort".split(" "),
  delete: "filter multi hint collation".split(" "),
};

/** Sums over all operations. */
type Totals = {
  nErrors: number;
  nInserted: number;
  nMatched: number;
  nModified: number;
  nUpserted: number;
  nDeleted: number;
};

/** Writes to several collections, one operation after the other; a refused one stops an ordered list. */
export function bulkWrite(context: Context, command: Doc): Reply {
  const [major = 0] = context.server.version.split(".").map(Number);
  demand(major >= oldestMajor, "CommandNotFound", "no such command: 'bulkWrite'");
  demand(context.databaseName === "admin", "Unauthorized", "bulkWrite may only be run against the admin database.");
  const namespaces = listField(command, "nsInfo").map(namespaceOf);
  const operations = listField(command, "ops").map((operation) => checked(operation, namespaces));
  const isFit = operations.length > 0 && operations.length <= mostStatements;
  const message = `Write batch sizes must be between 1 and ${mostStatements}. Got ${operations.length} operations.`;
  demand(isFit, "InvalidLength", message);
  const total: Totals = { nErrors: 0, nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
  const results: Doc[] = [];
  const written = new Map<string, number>();
  const isOrdered = boolField(command, "ordered", true);
  for (const [idx, { kind, operation, target }] of operations.entries()) {
    const { database, collection, namespace } = target;
    try {
      context.databaseName = database;
      const result = runOne(context, kind, collection, operation, total);
      written.set(namespace, (written.get(namespace) ?? 0) + result.written);
      if (!boolField(command, "errorsOnly")) results.push({ ok: new Int32(1), idx: new Int32(idx), ...result.facts });
    } catch (error) {
      if (!(error instanceof CommandError) || isCommandWide(error)) throw error;
      total.nErrors += 1;
      const refusal = { code: new Int32(error.code), errmsg: error.message, ...error.details };
      results.push({ ok: new Int32(0), idx: new Int32(idx), ...refusal, n: new Int32(0) });
      if (isOrdered || !context.transaction.isImplicit) break;
    } finally {
      context.databaseName = "admin";
    }
  }
  const sums: [string, number][] = Object.entries(total);
  const counts = Object.fromEntries(sums.map(([name, count]) => [name, new Int32(count)]));
  const cursor = { id: Long.ZERO, firstBatch: results, ns: "admin.$cmd.bulkWrite" };
  return { body: { cursor, ...counts }, written };
}

interface Operation {
  kind: Kind;
  operation: Doc;
  target: Namespace;
}

interface Namespace {
  namespace: string;
  database: string;
  collection: string;
}

function namespaceOf(info: unknown): Namespace {
  demand(isDoc(info), "TypeMismatch", "each of nsInfo must be a document");
  const namespace = requireName(info["ns"], "namespace");
  const dot = namespace.indexOf(".");
  demand(dot > 0 && dot < namespace.length - 1, "InvalidNamespace", `Invalid namespace specified '${namespace}'`);
  return { namespace, database: namespace.slice(0, dot), collection: namespace.slice(dot + 1) };
}

/** A malformed operation fails the command. */
function checked(operation: unknown, namespaces: readonly Namespace[]): Operation {
  demand(isDoc(operation), "TypeMismatch", "each of ops must be a document");
  const [kind] = Object.keys(operation);
  demand(kind === "insert" || kind === "update" || kind === "delete", "FailedToParse", `unknown operation ${kind}`);
  const unknown = Object.keys(operation).find((name) => name !== kind && !fields[kind].includes(name));
  demand(unknown === undefined, "UnknownField", `BSON field 'bulkWrite.ops.${unknown}' is an unknown field.`);
  const place = toSafeInteger(operation[kind]) ?? -1;
  const target = namespaces[place];
  demand(target !== undefined, "BadValue", `BulkWrite ops entry has an invalid nsInfo index ${place}`);
  refuseCollation(operation["collation"]);
  return { kind, operation, target };
}

/** Runs an operation and adds it to the sums. */
function runOne(
  context: Context,
  kind: Kind,
  name: string,
  operation: Doc,
  total: Totals,
): { facts: Doc; written: number } {
  const { filter: q, hint, collation } = operation;
  if (kind === "insert") {
    const { document } = operation;
    insertRaw(context, name, document instanceof Uint8Array || !isDoc(document) ? document : encode(document));
    total.nInserted += 1;
    return { facts: { n: new Int32(1) }, written: 1 };
  }
  if (kind === "delete") {
    const limit = new Int32(boolField(operation, "multi") ? 0 : 1);
    const n = runDelete(context, name, { q, hint, collation, limit });
    total.nDeleted += n;
    return { facts: { n: new Int32(n) }, written: n };
  }
  const { updateMods: u, constants: c, multi, upsert, arrayFilters, sort } = operation;
  const done = runUpdate(context, name, { q, u, c, multi, upsert, arrayFilters, hint, collation, sort });
  total.nMatched += done.matched;
  total.nModified += done.modified;
  total.nUpserted += done.upserted === undefined ? 0 : 1;
  const n = done.upserted === undefined ? done.matched : 1;
  const facts = { n: new Int32(n), nModified: new Int32(done.modified) };
  const upserted = done.upserted === undefined ? {} : { upserted: done.upserted };
  return { facts: { ...facts, ...upserted }, written: done.modified + (done.upserted === undefined ? 0 : 1) };
}
