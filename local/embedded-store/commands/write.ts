import { Int32, ObjectId } from "bson";
import { expressionContext } from "../aggregate/pipeline";
import { CommandError, codes } from "../errors";
import { compileProjection } from "../query/projection";
import { parseSort } from "../query/sort";
import { type Collection, refuseCollation } from "../storage/catalog";
import { duplicateKeyError } from "../storage/duplicate-key";
import { keyText } from "../storage/transaction";
import { type CompiledUpdate, compileUpdate, refuseTopDollars, upsertDocument } from "../update/update";
import { type Doc, decode, encode, field, isArray, isDoc, isRegex } from "../values/bson";
import { keyOf } from "../values/keys";
import type { Reply } from "../wire/frame";
import { boolField, type Context, countField, docField, findCollection, listField, obtainCollection } from "./context";
import { type Selected, select, selectToWrite } from "./select";

const mostDocumentBytes = 16 * 1024 * 1024;
const mostStatements = 100_000;

function statements(command: Doc, name: string): unknown[] {
  const list = listField(command, name);
  if (list.length === 0 || list.length > mostStatements) {
    throw new CommandError(
      "InvalidOptions",
      `Write batch sizes must be between 1 and ${mostStatements}. Got ${list.length} operations.`,
    );
  }
  return list;
}

/** Codes that concern the whole command, not one statement of it. */
const commandWide = new Set<number>([
  codes.WriteConflict,
  codes.MaxTimeMSExpired,
  codes.UnknownField,
  codes.NotImplemented,
]);

/** Runs the statements one by one; a refused one stops an ordered batch. */
function runStatements(
  context: Context,
  command: Doc,
  list: unknown[],
  run: (statement: unknown, at: number) => void,
): Doc[] {
  const isOrdered = boolField(command, "ordered", true);
  const errors: Doc[] = [];
  for (let at = 0; at < list.length; at += 1) {
    try {
      run(list[at], at);
    } catch (error) {
      if (!(error instanceof CommandError) || commandWide.has(error.code)) throw error;
      errors.push({ index: new Int32(at), code: new Int32(error.code), errmsg: error.message, ...error.details });
      if (isOrdered || !context.transaction.isImplicit) break;
    }
  }
  return errors;
}

const withErrors = (body: Doc, errors: Doc[]): Reply => ({
  body: errors.length === 0 ? body : { ...body, writeErrors: errors },
});

/** The bytes to store: as sent, unless `_id` is missing or not the first field. */
function withId(bytes: Uint8Array, doc: Doc): { bytes: Uint8Array; doc: Doc } {
  if (Object.keys(doc)[0] === "_id") return { bytes, doc };
  const { _id: id = new ObjectId(), ...rest } = doc;
  const ordered = { _id: id, ...rest };
  return { bytes: encode(ordered), doc: ordered };
}

function checkStorable(bytes: Uint8Array, doc: Doc): void {
  if (bytes.length > mostDocumentBytes) {
    throw new CommandError(
      10_334,
      `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${mostDocumentBytes}`,
    );
  }
  const id = field(doc, "_id");
  if (isArray(id) || isRegex(id) || id === undefined) {
    throw new CommandError(53, "The '_id' value cannot be an array, a regular expression or undefined");
  }
  if (isDoc(id)) refuseTopDollars(id);
}

function insertOne(context: Context, collection: Collection, bytes: Uint8Array, doc: Doc): void {
  checkStorable(bytes, doc);
  const { transactions } = context.server;
  const key = keyText(keyOf(doc["_id"]));
  if (transactions.read(context.transaction, collection, key) !== undefined) {
    transactions.requireFree(context.transaction, collection, key);
    throw duplicateKeyError(collection.namespace, "_id_", { _id: new Int32(1) }, { _id: doc["_id"] });
  }
  const old = { bytes: undefined, keys: transactions.keysBefore(context.transaction, collection, key, undefined) };
  transactions.write(context.transaction, collection, key, old, bytes, doc);
}

export function insert(context: Context, command: Doc): Reply {
  const list = statements(command, "documents");
  const collection = obtainCollection(context, command["insert"]);
  let n = 0;
  const errors = runStatements(context, command, list, (raw) => {
    if (!(raw instanceof Uint8Array))
      throw new CommandError("TypeMismatch", "the documents to insert must be documents");
    const { bytes, doc } = withId(raw, decode(raw));
    insertOne(context, collection, bytes, doc);
    n += 1;
  });
  return withErrors({ n: new Int32(n) }, errors);
}

const updateFields = new Set(["q", "u", "c", "multi", "upsert", "arrayFilters", "hint", "collation"]);
const deleteFields = new Set(["q", "limit", "hint", "collation"]);

function requireStatement(statement: unknown, allowed: Set<string>, place: string): Doc {
  if (!isDoc(statement)) throw new CommandError("TypeMismatch", `each of ${place} must be a document`);
  const unknown = Object.keys(statement).find((name) => !allowed.has(name));
  if (unknown !== undefined)
    throw new CommandError("UnknownField", `BSON field '${place}.${unknown}' is an unknown field.`);
  refuseCollation(statement["collation"]);
  return statement;
}

function compileFor(
  context: Context,
  spec: unknown,
  filter: Doc,
  arrayFilters: unknown,
  constants: Doc = {},
): CompiledUpdate {
  const variables = { ...context.variables, ...constants };
  return compileUpdate(spec, { filter, arrayFilters, variables, now: context.now });
}

const all = Number.POSITIVE_INFINITY;

/** Changes one document; gives what it was and what it became, or undefined for the latter when nothing changed. */
function updateOne(
  context: Context,
  collection: Collection,
  found: Selected,
  update: CompiledUpdate,
): { after: Doc; isChanged: boolean } {
  const { transactions } = context.server;
  const doc = found.doc ?? decode(found.bytes);
  const keys = transactions.keysBefore(context.transaction, collection, found.key, doc);
  const after = update.apply(doc, false);
  const bytes = encode(after);
  const isChanged = Buffer.compare(bytes, found.bytes) !== 0;
  if (isChanged) {
    checkStorable(bytes, after);
    transactions.write(context.transaction, collection, found.key, { bytes: found.bytes, keys }, bytes, after);
  } else {
    transactions.requireFree(context.transaction, collection, found.key);
  }
  return { after, isChanged };
}

export function update(context: Context, command: Doc): Reply {
  const list = statements(command, "updates").map((statement) =>
    requireStatement(statement, updateFields, "update.updates"),
  );
  const total = { matched: 0, modified: 0 };
  const upserted: Doc[] = [];
  const errors = runStatements(context, command, list, (statement, at) => {
    if (!isDoc(statement)) return;
    const filter = docField(statement, "q");
    const isMulti = boolField(statement, "multi");
    const compiled = compileFor(context, statement["u"], filter, statement["arrayFilters"], docField(statement, "c"));
    if (isMulti && compiled.kind === "replacement")
      throw new CommandError("FailedToParse", "multi update is not supported for replacement-style update");
    const selection = {
      filter,
      sort: [],
      skip: 0,
      limit: isMulti ? all : 1,
      hint: statement["hint"],
    };
    const { matched, modified } = updateSelected(context, command["update"], selection, compiled);
    total.modified += modified;
    total.matched += matched;
    if (matched > 0 || !boolField(statement, "upsert")) return;
    const doc = upsertDocument(filter, compiled);
    insertOne(context, obtainCollection(context, command["update"]), encode(doc), doc);
    total.matched += 1;
    upserted.push({ index: new Int32(at), _id: doc["_id"] });
  });
  const body: Doc = { n: new Int32(total.matched), nModified: new Int32(total.modified) };
  return withErrors(upserted.length === 0 ? body : { ...body, upserted }, errors);
}

type Selection = Parameters<typeof select>[2];

function updateSelected(
  context: Context,
  name: unknown,
  selection: Selection,
  compiled: CompiledUpdate,
): { matched: number; modified: number } {
  const collection = findCollection(context, name);
  let matched = 0;
  let modified = 0;
  if (collection === undefined) return { matched, modified };
  for (const found of selectToWrite(context, collection, selection)) {
    if (updateOne(context, collection, found, compiled).isChanged) modified += 1;
    matched += 1;
  }
  return { matched, modified };
}

function deleteOne(context: Context, collection: Collection, found: Selected): void {
  const { transactions } = context.server;
  const doc = found.doc ?? decode(found.bytes);
  const keys = transactions.keysBefore(context.transaction, collection, found.key, doc);
  transactions.write(context.transaction, collection, found.key, { bytes: found.bytes, keys }, undefined);
}

export function remove(context: Context, command: Doc): Reply {
  const list = statements(command, "deletes").map((statement) =>
    requireStatement(statement, deleteFields, "delete.deletes"),
  );
  let n = 0;
  const errors = runStatements(context, command, list, (statement) => {
    const collection = findCollection(context, command["delete"]);
    if (!isDoc(statement) || collection === undefined) return;
    const limit = countField(statement, "limit");
    if (limit !== 0 && limit !== 1)
      throw new CommandError("FailedToParse", "The limit field in delete objects must be 0 or 1.");
    const selection = {
      filter: docField(statement, "q"),
      sort: [],
      skip: 0,
      limit: limit === 1 ? 1 : all,
      hint: statement["hint"],
    };
    for (const found of selectToWrite(context, collection, selection)) {
      deleteOne(context, collection, found);
      n += 1;
    }
  });
  return withErrors({ n: new Int32(n) }, errors);
}

export function findAndModify(context: Context, command: Doc): Reply {
  const filter = docField(command, "query");
  const isRemove = boolField(command, "remove");
  if (isRemove === "update" in command) {
    throw new CommandError("FailedToParse", "Either an update or remove=true must be specified");
  }
  const name = command["findAndModify"] ?? command["findandmodify"];
  const collection = findCollection(context, name);
  const selection = { filter, sort: parseSort(command["sort"]), skip: 0, limit: 1, hint: command["hint"] };
  const compiled = isRemove ? undefined : compileFor(context, command["update"], filter, command["arrayFilters"]);
  const [found] = collection === undefined ? [] : select(context, collection, selection);
  const show = projector(context, command, filter);
  if (collection !== undefined && found !== undefined) {
    const before = decode(found.bytes);
    if (compiled === undefined) {
      deleteOne(context, collection, found);
      return { body: { lastErrorObject: { n: new Int32(1) }, value: show(before) } };
    }
    const { after } = updateOne(context, collection, found, compiled);
    const value = show(boolField(command, "new") ? after : before);
    return { body: { lastErrorObject: { n: new Int32(1), updatedExisting: true }, value } };
  }
  if (compiled === undefined) return { body: { lastErrorObject: { n: new Int32(0) }, value: null } };
  if (!boolField(command, "upsert"))
    return { body: { lastErrorObject: { n: new Int32(0), updatedExisting: false }, value: null } };
  const doc = upsertDocument(filter, compiled);
  insertOne(context, obtainCollection(context, name), encode(doc), doc);
  const value = boolField(command, "new") ? show(doc) : null;
  return { body: { lastErrorObject: { n: new Int32(1), updatedExisting: false, upserted: doc["_id"] }, value } };
}

function projector(context: Context, command: Doc, filter: Doc): (doc: Doc) => Doc {
  const fields = docField(command, "fields");
  if (Object.keys(fields).length === 0) return (doc) => doc;
  return compileProjection(fields, expressionContext(context.variables), filter);
}
