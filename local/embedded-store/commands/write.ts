import { Int32, ObjectId } from "bson";
import { expressionContext } from "../aggregate/pipeline";
import { CommandError, codes, demand } from "../errors";
import { compileProjection } from "../query/projection";
import { parseSort } from "../query/sort";
import type { Collection } from "../storage/catalog";
import { duplicateKeyError } from "../storage/duplicate-key";
import { type Index, refuseCollation } from "../storage/index-definition";
import { keyText } from "../storage/transaction";
import { type CompiledUpdate, compileUpdate, refuseTopDollars, upsertDocument } from "../update/update";
import { type Doc, decode, encode, field, isArray, isDoc, isRegex } from "../values/bson";
import { decodeFields, firstField } from "../values/fields";
import { keyOf } from "../values/keys";
import type { Reply } from "../wire/frame";
import { boolField, type Context, countField, docField, findCollection, listField, obtainCollection } from "./context";
import { type Selected, select, selecting, selectToWrite } from "./select";

const mostDocumentBytes = 16 * 1024 * 1024;
export const mostStatements = 100_000;

/** True for an error that concerns the whole command. */
export const isCommandWide = (error: unknown): boolean =>
  !(error instanceof CommandError) || commandWide.has(error.code);

/** Codes that concern the whole command, not one statement of it. */
const commandWide = new Set<number>([
  codes.WriteConflict,
  codes.MaxTimeMSExpired,
  codes.UnknownField,
  codes.NotImplemented,
]);

/** Runs the statements one by one; a refused one stops an ordered batch. `body` is read at the end. */
function runStatements<T>(
  context: Context,
  command: Doc,
  list: T[],
  run: (statement: T, at: number) => void,
  body: () => Doc,
): Reply {
  const isOrdered = boolField(command, "ordered", true);
  const writeErrors: Doc[] = [];
  for (const [at, statement] of list.entries()) {
    try {
      run(statement, at);
    } catch (error) {
      if (!(error instanceof CommandError) || isCommandWide(error)) throw error;
      writeErrors.push({ index: new Int32(at), code: new Int32(error.code), errmsg: error.message, ...error.details });
      if (isOrdered || !context.transaction.isImplicit) break;
    }
  }
  return { body: writeErrors.length === 0 ? body() : { ...body(), writeErrors } };
}

function statementsIn(command: Doc, name: string): unknown[] {
  const list = listField(command, name);
  const isFit = list.length > 0 && list.length <= mostStatements;
  const message = `Write batch sizes must be between 1 and ${mostStatements}. Got ${list.length} operations.`;
  demand(isFit, "InvalidOptions", message);
  return list;
}

/** A malformed statement fails the command, not itself. */
function docsIn(command: Doc, name: string, fields: string[]): Doc[] {
  return statementsIn(command, name).map((statement) => {
    demand(isDoc(statement), "TypeMismatch", `each of ${name} must be a document`);
    const unknown = Object.keys(statement).find((key) => !fields.includes(key));
    demand(unknown === undefined, "UnknownField", `BSON field '${name}.${unknown}' is an unknown field.`);
    refuseCollation(statement["collation"]);
    return statement;
  });
}

/** The bytes to store: as sent, unless `_id` is missing or not the first field. Then only what indexes need is decoded. */
function withId(bytes: Uint8Array, indexes: readonly Index[]): { bytes: Uint8Array; doc: Doc } {
  if (firstField(bytes) === "_id") return { bytes, doc: decodeFields(bytes, rootsOf(indexes)) };
  const { _id: id = new ObjectId(), ...rest } = decode(bytes);
  const ordered = { _id: id, ...rest };
  return { bytes: encode(ordered), doc: ordered };
}

const rootsOf = (indexes: readonly Index[]): ReadonlySet<string> =>
  new Set(["_id", ...indexes.flatMap(({ roots }) => [...roots])]);

function checkStorable({ length }: Uint8Array, doc: Doc): void {
  const message = `BSONObj size: ${length} is invalid. Size must be between 0 and ${mostDocumentBytes}`;
  demand(length <= mostDocumentBytes, 10_334, message);
  const id = field(doc, "_id");
  const isUsable = !isArray(id) && !isRegex(id) && id !== undefined;
  demand(isUsable, 53, "The '_id' value cannot be an array, a regular expression or undefined");
  if (isDoc(id)) refuseTopDollars(id);
}

function insertOne(context: Context, name: unknown, bytes: Uint8Array, doc: Doc): void {
  checkStorable(bytes, doc);
  const { transactions } = context.server;
  const collection = obtainCollection(context, name);
  const key = keyText(keyOf(doc["_id"]));
  if (transactions.read(context.transaction, collection, key) !== undefined) {
    transactions.requireFree(context.transaction, collection, key);
    throw duplicateKeyError(collection.namespace, "_id_", { _id: new Int32(1) }, { _id: doc["_id"] });
  }
  const old = { bytes: undefined, keys: transactions.keysBefore(context.transaction, collection, key, undefined) };
  transactions.write(context.transaction, collection, key, old, bytes, doc);
}

/** Stores a document that came as bytes. */
export function insertRaw(context: Context, name: unknown, raw: unknown): void {
  demand(raw instanceof Uint8Array, "TypeMismatch", "the documents to insert must be documents");
  const { bytes, doc } = withId(raw, findCollection(context, name)?.indexes ?? []);
  insertOne(context, name, bytes, doc);
}

export function insert(context: Context, command: Doc): Reply {
  let n = 0;
  const insertOneRaw = (raw: unknown) => {
    insertRaw(context, command["insert"], raw);
    n += 1;
  };
  return runStatements(context, command, statementsIn(command, "documents"), insertOneRaw, () => ({ n: new Int32(n) }));
}

function compileFor(context: Context, spec: unknown, filter: Doc, arrayFilters: unknown, constants: Doc = {}) {
  const variables = { ...context.variables, ...constants };
  return compileUpdate(spec, { filter, arrayFilters, variables, now: context.now });
}

/** Changes one document; returns whether its content changed. */
function updateOne(context: Context, collection: Collection, found: Selected, update: CompiledUpdate) {
  const { transactions } = context.server;
  const doc = found.doc ?? decode(found.bytes);
  const { changed } = update;
  const keys = transactions.keysBefore(context.transaction, collection, found.key, doc, changed);
  const after = update.apply(doc, false);
  const bytes = encode(after);
  const isChanged = Buffer.compare(bytes, found.bytes) !== 0;
  if (isChanged) {
    checkStorable(bytes, after);
    const old = { bytes: found.bytes, keys };
    transactions.write(context.transaction, collection, found.key, old, bytes, after, changed);
  } else {
    transactions.requireFree(context.transaction, collection, found.key);
  }
  return { after, isChanged };
}

function upsertOne(context: Context, name: unknown, filter: Doc, update: CompiledUpdate): Doc {
  const doc = upsertDocument(filter, update);
  insertOne(context, name, encode(doc), doc);
  return doc;
}

const updateFields = ["q", "u", "c", "multi", "upsert", "collation", "arrayFilters", "hint", "sort"];

/** The effect of a statement that changes documents. */
export interface Updated {
  matched: number;
  modified: number;
  /** The id of the document that was inserted, as none matched. */
  upserted?: { _id: unknown };
}

/** Runs one statement of `updates`. */
export function runUpdate(context: Context, name: unknown, statement: Doc): Updated {
  const filter = docField(statement, "q");
  const isMulti = boolField(statement, "multi");
  const compiled = compileFor(context, statement["u"], filter, statement["arrayFilters"], docField(statement, "c"));
  const isFit = !isMulti || compiled.kind !== "replacement";
  demand(isFit, "FailedToParse", "multi update is not supported for replacement-style update");
  const isSorted = statement["sort"] !== undefined;
  demand(!isSorted || !isMulti, "FailedToParse", "Cannot specify sort with multi=true");
  const collection = findCollection(context, name);
  const order = isSorted ? { sort: parseSort(statement["sort"]) } : {};
  const selection = selecting(filter, { hint: statement["hint"], ...order, ...(isMulti ? {} : { limit: 1 }) });
  const total = { matched: 0, modified: 0 };
  for (const found of collection === undefined ? [] : selectToWrite(context, collection, selection)) {
    if (collection !== undefined && updateOne(context, collection, found, compiled).isChanged) total.modified += 1;
    total.matched += 1;
  }
  if (total.matched > 0 || !boolField(statement, "upsert")) return total;
  return { ...total, upserted: { _id: upsertOne(context, name, filter, compiled)["_id"] } };
}

export function update(context: Context, command: Doc): Reply {
  const total = { matched: 0, modified: 0 };
  const upserted: Doc[] = [];
  const updateAll = (statement: Doc, at: number) => {
    const done = runUpdate(context, command["update"], statement);
    total.matched += done.upserted === undefined ? done.matched : 1;
    total.modified += done.modified;
    if (done.upserted !== undefined) upserted.push({ index: new Int32(at), ...done.upserted });
  };
  return runStatements(context, command, docsIn(command, "updates", updateFields), updateAll, () => ({
    n: new Int32(total.matched),
    nModified: new Int32(total.modified),
    ...(upserted.length === 0 ? {} : { upserted }),
  }));
}

function deleteOne(context: Context, collection: Collection, found: Selected): void {
  const { transactions } = context.server;
  const doc = found.doc ?? decode(found.bytes);
  const keys = transactions.keysBefore(context.transaction, collection, found.key, doc);
  transactions.write(context.transaction, collection, found.key, { bytes: found.bytes, keys }, undefined);
}

const deleteFields = ["q", "limit", "collation", "hint"];

/** Runs one statement of `deletes`; returns how many documents are gone. */
export function runDelete(context: Context, name: unknown, statement: Doc): number {
  const limit = countField(statement, "limit");
  demand(limit === 0 || limit === 1, "FailedToParse", "The limit field in delete objects must be 0 or 1.");
  const collection = findCollection(context, name);
  if (collection === undefined) return 0;
  const facts = { hint: statement["hint"], ...(limit === 0 ? {} : { limit }) };
  let n = 0;
  for (const found of selectToWrite(context, collection, selecting(docField(statement, "q"), facts))) {
    deleteOne(context, collection, found);
    n += 1;
  }
  return n;
}

export function remove(context: Context, command: Doc): Reply {
  let n = 0;
  const deleteAll = (statement: Doc) => {
    n += runDelete(context, command["delete"], statement);
  };
  const list = docsIn(command, "deletes", deleteFields);
  return runStatements(context, command, list, deleteAll, () => ({ n: new Int32(n) }));
}

export function findAndModify(context: Context, command: Doc): Reply {
  const filter = docField(command, "query");
  const isRemove = boolField(command, "remove");
  const isOne = isRemove !== "update" in command;
  demand(isOne, "FailedToParse", "Either an update or remove=true must be specified");
  const name = command["findAndModify"] ?? command["findandmodify"];
  const collection = findCollection(context, name);
  const selection = selecting(filter, { sort: parseSort(command["sort"]), limit: 1, hint: command["hint"] });
  const compiled = isRemove ? undefined : compileFor(context, command["update"], filter, command["arrayFilters"]);
  const [found] = select(context, collection, selection);
  const fields = docField(command, "fields");
  const project = compileProjection(fields, expressionContext(context.variables), filter);
  const wantsNew = boolField(command, "new");
  const reply = (value: Doc | null, facts: Doc): Reply => {
    const shown = value === null || Object.keys(fields).length === 0 ? value : project(value);
    return { body: { lastErrorObject: facts, value: shown } };
  };
  if (collection !== undefined && found !== undefined) {
    const before = decode(found.bytes);
    if (compiled === undefined) {
      deleteOne(context, collection, found);
      return reply(before, { n: new Int32(1) });
    }
    const { after } = updateOne(context, collection, found, compiled);
    return reply(wantsNew ? after : before, { n: new Int32(1), updatedExisting: true });
  }
  if (compiled === undefined) return reply(null, { n: new Int32(0) });
  if (!boolField(command, "upsert")) return reply(null, { n: new Int32(0), updatedExisting: false });
  const doc = upsertOne(context, name, filter, compiled);
  return reply(wantsNew ? doc : null, { n: new Int32(1), updatedExisting: false, upserted: doc["_id"] });
}
