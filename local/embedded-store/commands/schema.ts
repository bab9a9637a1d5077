import { Double, Int32 } from "bson";
import { expressionContext } from "../aggregate/pipeline";
import { CommandError, notSupported } from "../errors";
import { compileMatch } from "../query/match";
import { type Collection, describeIndex, type Index, idIndexSpec, parseIndex, sameIndex } from "../storage/catalog";
import { duplicateKey } from "../storage/duplicate-key";
import { indexKeys } from "../storage/index-keys";
import { allDocuments } from "../storage/scan";
import { keyBytes } from "../storage/transaction";
import { type Doc, decode, encode, isArray, isDoc, isNumber } from "../values/bson";
import { toNumber } from "../values/numbers";
import type { Reply } from "../wire/frame";
import { boolField, type Context, docField, findCollection, listField, namespaceOf } from "./context";
import { cursorOver } from "./read";

/** Collections and indexes. These commands never run inside a client's transaction and wait for those that use the collection. */

const refusedOptions = [
  "capped",
  "size",
  "max",
  "viewOn",
  "pipeline",
  "timeseries",
  "expireAfterSeconds",
  "clusteredIndex",
  "changeStreamPreAndPostImages",
  "validator",
  "validationLevel",
  "validationAction",
  "indexOptionDefaults",
  "storageEngine",
  "encryptedFields",
];

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
  const { catalog, transactions } = context.server;
  const collection = catalog.find(namespace);
  if (collection === undefined) return { body: {} };
  transactions.requireUnused(collection);
  removeCollection(context, collection);
  return { body: { nIndexesWas: new Int32(collection.indexes.length + 1), ns: namespace } };
}

export function dropDatabase(context: Context): Reply {
  const { catalog, transactions } = context.server;
  const collections = catalog.ofDatabase(context.databaseName);
  for (const collection of collections) transactions.requireUnused(collection);
  for (const collection of collections) removeCollection(context, collection);
  return { body: { dropped: context.databaseName } };
}

function removeCollection({ server }: Context, collection: Collection): void {
  server.catalog.remove(collection);
  server.cursors.killOn(collection.namespace);
}

export function createIndexes(context: Context, command: Doc): Reply {
  const { catalog, transactions } = context.server;
  const namespace = namespaceOf(context, command["createIndexes"]);
  const specs = listField(command, "indexes").map(requireSpec);
  const known = catalog.find(namespace);
  const collection = known ?? catalog.draft(namespace);
  const before = collection.indexes.length + 1;
  const added = specs.flatMap((spec) => {
    const index = parseIndex(spec, catalog.nextId());
    return isIdIndex(index) || exists(collection, index) ? [] : [index];
  });
  // Indexes that exist are no work, so a service that starts again waits for nobody.
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

function requireSpec(spec: unknown): Doc {
  if (!isDoc(spec)) throw new CommandError("TypeMismatch", "each of createIndexes.indexes must be a document");
  return spec;
}

const isIdIndex = (index: Index): boolean => index.fields.length === 1 && index.fields[0]?.name === "_id";

/** The same index again is no error; another one under the same name or keys is. */
function exists(collection: Collection, index: Index): boolean {
  const named = collection.indexes.find(({ name }) => name === index.name);
  if (named !== undefined) {
    if (sameIndex(named, index)) return true;
    throw new CommandError(
      "IndexKeySpecsConflict",
      `An existing index has the same name as the requested index: ${index.name}`,
    );
  }
  const twin = collection.indexes.find((other) => sameIndex(other, index));
  if (twin !== undefined) {
    throw new CommandError("IndexOptionsConflict", `Index already exists with a different name: ${twin.name}`);
  }
  return false;
}

function build(context: Context, collection: Collection, index: Index): void {
  const { database } = context.server;
  for (const { key, bytes } of allDocuments(database, collection)) {
    const doc = decode(bytes);
    const entries = indexKeys(index, doc);
    if (entries.length > 1) index.isMultikey = true;
    for (const entry of entries) {
      if (index.isUnique && database.entryOwners(index.id, entry).length > 0)
        throw duplicateKey(collection, index, doc, entry);
      database.putEntry(index.id, entry, keyBytes(key));
    }
  }
  database.putIndex(index.id, collection.id, encode(index.spec), index.isMultikey);
}

export function dropIndexes(context: Context, command: Doc): Reply {
  const collection = requireCollection(context, command["dropIndexes"] ?? command["deleteIndexes"]);
  const { catalog, transactions } = context.server;
  transactions.requireUnused(collection);
  const wanted = command["index"];
  const before = collection.indexes.length + 1;
  const chosen = collection.indexes.filter(({ name, spec }) => isWanted(wanted, name, spec["key"]));
  if (chosen.length === 0 && wanted !== "*")
    throw new CommandError("IndexNotFound", `index not found with name [${String(wanted)}]`);
  for (const index of chosen) catalog.removeIndex(collection, index);
  context.server.cursors.killOn(collection.namespace);
  return { body: { nIndexesWas: new Int32(before) } };
}

function isWanted(wanted: unknown, name: string, key: unknown): boolean {
  if (wanted === "*" || wanted === name) return true;
  if (isArray(wanted)) return wanted.includes(name);
  return isDoc(wanted) && isDoc(key) && JSON.stringify(wanted) === JSON.stringify(key);
}

function requireCollection(context: Context, name: unknown): Collection {
  const collection = findCollection(context, name);
  if (collection === undefined)
    throw new CommandError("NamespaceNotFound", `ns does not exist: ${namespaceOf(context, name)}`);
  return collection;
}

export function listIndexes(context: Context, command: Doc): Reply {
  const collection = requireCollection(context, command["listIndexes"]);
  const docs = [idIndexSpec, ...collection.indexes.map(describeIndex)];
  return cursorOver(context, collection.namespace, docs, command);
}

export function listCollections(context: Context, command: Doc): Reply {
  const matches = compileMatch(docField(command, "filter"), expressionContext({}));
  const isNameOnly = boolField(command, "nameOnly");
  const docs = context.server.catalog
    .ofDatabase(context.databaseName)
    .map((collection) => describe(collection, context.databaseName))
    .filter(matches)
    .map((doc) => (isNameOnly ? { name: doc["name"], type: doc["type"] } : doc));
  return cursorOver(context, `${context.databaseName}.$cmd.listCollections`, docs, command);
}

function describe({ namespace, options }: Collection, databaseName: string): Doc {
  return {
    name: namespace.slice(databaseName.length + 1),
    type: "collection",
    options: {},
    info: { readOnly: false, uuid: options["uuid"] },
    idIndex: idIndexSpec,
  };
}

export function listDatabases(context: Context, command: Doc): Reply {
  const matches = compileMatch(docField(command, "filter"), expressionContext({}));
  const names = new Set(context.server.catalog.all().map(({ namespace }) => namespace.split(".")[0] ?? ""));
  const isNameOnly = boolField(command, "nameOnly");
  const databases = [...names]
    .map((name): Doc => (isNameOnly ? { name } : { name, sizeOnDisk: new Double(0), empty: false }))
    .filter(matches);
  return { body: { databases, totalSize: new Double(0) } };
}

/** Only what is cheap to know exactly. */
export function collStats(context: Context, command: Doc): Reply {
  const collection = requireCollection(context, command["collStats"]);
  const scale = command["scale"];
  if (isNumber(scale) && toNumber(scale) !== 1) throw notSupported("collStats with a scale");
  const count = context.server.database.countDocuments(collection.id);
  return {
    body: { ns: collection.namespace, count: new Int32(count), nindexes: new Int32(collection.indexes.length + 1) },
  };
}
