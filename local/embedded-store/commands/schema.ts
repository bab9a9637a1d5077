import { Double, Int32 } from "bson";
import { expressionContext } from "../aggregate/pipeline";
import { demand, notSupported } from "../errors";
import { compileMatch } from "../query/match";
import type { Collection } from "../storage/catalog";
import { duplicateKey } from "../storage/duplicate-key";
import { describeIndex, type Index, idIndexSpec, parseIndex, sameIndex } from "../storage/index-definition";
import { indexKeys } from "../storage/index-keys";
import { allDocuments } from "../storage/scan";
import { keyBytes } from "../storage/transaction";
import { type Doc, decode, encode, isArray, isDoc } from "../values/bson";
import { equal } from "../values/order";
import type { Reply } from "../wire/frame";
import { boolField, type Context, docField, findCollection, listField, namespaceOf } from "./context";
import { cursorOver } from "./read";

/** Collections and indexes. These commands never run inside a client's transaction and wait for those that use the collection. */

/** Fields of `create` that are known and refused. */
export const refusedOptions = `capped size max viewOn pipeline timeseries expireAfterSeconds clusteredIndex
  changeStreamPreAndPostImages validator validationLevel validationAction indexOptionDefaults storageEngine
  encryptedFields`.split(/\s+/);

export function create(context: Context, command: Doc): Reply {
  const refused = refusedOptions.find((name) => command[name] !== undefined && command[name] !== false);
  if (refused !== undefined) throw notSupported(`create with ${refused}`);
  const namespace = namespaceOf(context, command["create"]);
  const { catalog } = context.server;
  if (catalog.find(namespace) === undefined) catalog.add(catalog.draft(namespace));
  return { body: {} };
}

export function drop(context: Context, command: Doc): Reply {
  const namespace = namespaceOf(context, command["drop"]);
  const collection = context.server.catalog.find(namespace);
  if (collection === undefined) return { body: {} };
  removeCollections(context, [collection]);
  return { body: { nIndexesWas: new Int32(collection.indexes.length + 1), ns: namespace } };
}

export function dropDatabase(context: Context): Reply {
  removeCollections(context, context.server.catalog.ofDatabase(context.databaseName));
  return { body: { dropped: context.databaseName } };
}

function removeCollections({ server }: Context, collections: Collection[]): void {
  for (const collection of collections) server.transactions.requireUnused(collection);
  for (const collection of collections) {
    server.catalog.remove(collection);
    server.cursors.killOn(collection.namespace);
  }
}

export function createIndexes(context: Context, command: Doc): Reply {
  const { catalog, transactions } = context.server;
  const namespace = namespaceOf(context, command["createIndexes"]);
  const specs = listField(command, "indexes");
  const known = catalog.find(namespace);
  const collection = known ?? catalog.draft(namespace);
  const before = collection.indexes.length + 1;
  const added = specs.flatMap((spec) => {
    demand(isDoc(spec), "TypeMismatch", "each of createIndexes.indexes must be a document");
    const index = parseIndex(spec, catalog.nextId());
    return isIdIndex(index) || exists(collection, index) ? [] : [index];
  });
  // Existing indexes cost no work, so a restarting service does not wait.
  if (known !== undefined && added.length > 0) transactions.requireUnused(known);
  transactions.startWriting(context.transaction);
  if (known === undefined) catalog.add(collection);
  for (const index of added) build(context, collection, index);
  collection.indexes = [...collection.indexes, ...added];
  return {
    body: {
      numIndexesBefore: new Int32(before),
      numIndexesAfter: new Int32(before + added.length),
      createdCollectionAutomatically: known === undefined,
    },
  };
}

const isIdIndex = (index: Index): boolean => index.fields.length === 1 && index.fields[0]?.name === "_id";

/** The same index again is no error; another one under the same name or keys is. */
function exists(collection: Collection, index: Index): boolean {
  const named = collection.indexes.find(({ name }) => name === index.name);
  const twin = collection.indexes.find((other) => sameIndex(other, index));
  if (named !== undefined && sameIndex(named, index)) return true;
  const message = `An existing index has the same name as the requested index: ${index.name}`;
  demand(named === undefined, "IndexKeySpecsConflict", message);
  demand(twin === undefined, "IndexOptionsConflict", `Index already exists with a different name: ${twin?.name}`);
  return false;
}

function build({ server: { database } }: Context, collection: Collection, index: Index): void {
  for (const { key, bytes } of allDocuments(database, collection)) {
    const doc = decode(bytes);
    const entries = indexKeys(index, doc);
    if (entries.length > 1) index.isMultikey = true;
    for (const entry of entries) {
      if (index.isUnique && database.entryOwners(index.id, entry).length > 0)
        throw duplicateKey(collection, index, doc, entry);
      database.putEntry(index.id, entry, database.numberOf(collection.id, keyBytes(key)));
    }
  }
  database.putIndex(index.id, collection.id, encode(index.spec), index.isMultikey);
}

export function dropIndexes(context: Context, command: Doc): Reply {
  const collection = requireCollection(context, command["dropIndexes"] ?? command["deleteIndexes"]);
  const { catalog, transactions, cursors } = context.server;
  transactions.requireUnused(collection);
  const wanted = command["index"];
  const before = collection.indexes.length + 1;
  const chosen = collection.indexes.filter(({ name, spec }) => isWanted(wanted, name, spec["key"]));
  demand(chosen.length > 0 || wanted === "*", "IndexNotFound", `index not found: ${JSON.stringify(wanted)}`);
  for (const index of chosen) catalog.removeIndex(collection, index);
  cursors.killOn(collection.namespace);
  return { body: { nIndexesWas: new Int32(before) } };
}

function isWanted(wanted: unknown, name: string, key: unknown): boolean {
  if (isArray(wanted)) return wanted.includes(name);
  return wanted === "*" || wanted === name || (isDoc(wanted) && equal(wanted, key));
}

function requireCollection(context: Context, name: unknown): Collection {
  const collection = findCollection(context, name);
  demand(collection !== undefined, "NamespaceNotFound", `ns does not exist: ${namespaceOf(context, name)}`);
  return collection;
}

export function listIndexes(context: Context, command: Doc): Reply {
  const collection = requireCollection(context, command["listIndexes"]);
  return cursorOver(context, collection.namespace, [idIndexSpec, ...collection.indexes.map(describeIndex)], command);
}

/** The documents of a list that the filter of the command chooses. */
function filtered(command: Doc, docs: Doc[]): Doc[] {
  return docs.filter(compileMatch(docField(command, "filter"), expressionContext({})));
}

export function listCollections(context: Context, command: Doc): Reply {
  const isNameOnly = boolField(command, "nameOnly");
  const described = context.server.catalog.ofDatabase(context.databaseName).map(({ namespace, options }) => ({
    name: namespace.slice(context.databaseName.length + 1),
    type: "collection",
    options: {},
    info: { readOnly: false, uuid: options["uuid"] },
    idIndex: idIndexSpec,
  }));
  const docs = filtered(command, described).map((doc) => (isNameOnly ? { name: doc["name"], type: doc["type"] } : doc));
  return cursorOver(context, `${context.databaseName}.$cmd.listCollections`, docs, command);
}

export function listDatabases(context: Context, command: Doc): Reply {
  const names = new Set(context.server.catalog.all().map(({ namespace }) => namespace.split(".")[0] ?? ""));
  const facts = boolField(command, "nameOnly") ? {} : { sizeOnDisk: new Double(0), empty: false };
  const databases = filtered(
    command,
    [...names].map((name) => ({ name, ...facts })),
  );
  return { body: { databases, totalSize: new Double(0) } };
}
