import { Int32, UUID } from "bson";
import { expressionContext } from "../aggregate/pipeline";
import { CommandError, notSupported } from "../errors";
import { compileMatch, type Predicate } from "../query/match";
import { checkPath, type Path } from "../query/paths";
import { type Doc, decode, encode, isDoc } from "../values/bson";
import { toSafeInteger } from "../values/numbers";
import { equal } from "../values/order";
import type { Database } from "./database";

export interface IndexField {
  name: string;
  path: Path;
  direction: 1 | -1;
}

export interface Index {
  id: number;
  name: string;
  spec: Doc;
  fields: IndexField[];
  isUnique: boolean;
  isSparse: boolean;
  partialFilter: Doc | undefined;
  includes: Predicate | undefined;
  expireAfterSeconds: number | undefined;
  /** Some document has several entries; then ranges have one side only and the index gives no order. */
  isMultikey: boolean;
}

export interface Collection {
  id: number;
  namespace: string;
  options: Doc;
  indexes: Index[];
  /** Position of the last write, so that a reader can wait until what it saw is durable. */
  lastWrite: number;
}

const knownOptions = new Set([
  "v",
  "key",
  "name",
  "unique",
  "sparse",
  "background",
  "expireAfterSeconds",
  "partialFilterExpression",
  "hidden",
  "ns",
  "collation",
]);

/** Reads an index specification and refuses every kind that is not ascending or descending. */
export function parseIndex(spec: Doc, id: number): Index {
  const unknown = Object.keys(spec).find((name) => !knownOptions.has(name));
  if (unknown !== undefined) throw notSupported(`the index option ${unknown}`);
  if (spec["hidden"] === true) throw notSupported("a hidden index");
  refuseCollation(spec["collation"]);
  const key = spec["key"];
  if (!isDoc(key) || Object.keys(key).length === 0)
    throw new CommandError("CannotCreateIndex", "Index keys cannot be empty.");
  const fields = Object.keys(key).map((name) => parseIndexField(name, key[name]));
  const partialFilter = isDoc(spec["partialFilterExpression"]) ? spec["partialFilterExpression"] : undefined;
  const expireAfterSeconds = toSafeInteger(spec["expireAfterSeconds"]);
  if (expireAfterSeconds !== undefined && fields.length > 1) {
    throw new CommandError("CannotCreateIndex", "TTL indexes are single-field indexes");
  }
  return {
    id,
    name: typeof spec["name"] === "string" ? spec["name"] : defaultName(key),
    spec,
    fields,
    isUnique: spec["unique"] === true,
    isSparse: spec["sparse"] === true,
    partialFilter,
    includes: partialFilter === undefined ? undefined : compileMatch(partialFilter, expressionContext({})),
    expireAfterSeconds,
    isMultikey: false,
  };
}

function parseIndexField(name: string, kind: unknown): IndexField {
  if (typeof kind === "string") throw notSupported(`a ${kind} index`);
  const direction = toSafeInteger(kind);
  if (direction === undefined || direction === 0) {
    throw new CommandError("CannotCreateIndex", "Values in the index key pattern must be numbers other than 0");
  }
  if (name.includes("$")) throw notSupported(`an index on ${name}`);
  return { name, path: checkPath(name), direction: direction > 0 ? 1 : -1 };
}

const defaultName = (key: Doc): string =>
  Object.keys(key)
    .map((name) => `${name}_${String(key[name])}`)
    .join("_");

/** Strings compare byte by byte here; any other collation is refused. */
export function refuseCollation(collation: unknown): void {
  if (collation === undefined || collation === null) return;
  if (isDoc(collation) && (collation["locale"] === "simple" || Object.keys(collation).length === 0)) return;
  throw notSupported("a collation");
}

export type Catalog = ReturnType<typeof openCatalog>;

/** Collections and indexes, held in memory and written through. */
export function openCatalog(database: Database) {
  const collections = new Map<string, Collection>();
  let lastId = 0;
  const byId = new Map<number, Collection>();
  for (const { id, namespace, options } of database.listCollections()) {
    const collection = { id, namespace, options: decode(options), indexes: [], lastWrite: 0 };
    collections.set(namespace, collection);
    byId.set(id, collection);
    lastId = Math.max(lastId, id);
  }
  for (const { id, collection, spec, isMultikey } of database.listIndexes()) {
    byId.get(collection)?.indexes.push({ ...parseIndex(decode(spec), id), isMultikey });
    lastId = Math.max(lastId, id);
  }
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  return {
    find: (namespace: string): Collection | undefined => collections.get(namespace),
    all: (): Collection[] => [...collections.values()],
    ofDatabase: (name: string): Collection[] =>
      [...collections.values()].filter(({ namespace }) => namespace.startsWith(`${name}.`)),
    nextId,
    /** A collection that exists only in memory until it is added. */
    draft: (namespace: string): Collection => ({
      id: nextId(),
      namespace,
      options: { uuid: new UUID() },
      indexes: [],
      lastWrite: 0,
    }),
    add(collection: Collection): void {
      database.startWriting();
      database.putCollection(collection.id, collection.namespace, encode(collection.options));
      collections.set(collection.namespace, collection);
    },
    remove(collection: Collection): void {
      database.startWriting();
      for (const index of collection.indexes) database.deleteIndex(index.id);
      database.deleteCollection(collection.id);
      collections.delete(collection.namespace);
    },
    removeIndex(collection: Collection, index: Index): void {
      database.startWriting();
      database.deleteIndex(index.id);
      collection.indexes = collection.indexes.filter((other) => other !== index);
    },
  };
}

/** What listIndexes shows for an index. */
export function describeIndex(index: Index): Doc {
  const { v: _v, ns: _ns, background: _background, ...rest } = index.spec;
  return { v: new Int32(2), ...rest, name: index.name };
}

export const idIndexSpec: Doc = { v: new Int32(2), key: { _id: new Int32(1) }, name: "_id_" };

/** True when two specifications ask for the same index, whatever its name. */
export function sameIndex(left: Index, right: Index): boolean {
  return equal(bare(left), bare(right));
}

const bare = ({ fields, isUnique, isSparse, partialFilter, expireAfterSeconds }: Index): Doc => ({
  key: fields.map(({ name, direction }) => [name, new Int32(direction)]),
  isUnique,
  isSparse,
  partialFilter: partialFilter ?? null,
  expireAfterSeconds: expireAfterSeconds === undefined ? null : new Int32(expireAfterSeconds),
});
