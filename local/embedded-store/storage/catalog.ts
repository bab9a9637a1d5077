import { UUID } from "bson";
import { type Doc, decode, encode } from "../values/bson";
import type { Database } from "./database";
import { type Index, parseIndex } from "./index-definition";

export interface Collection {
  id: number;
  namespace: string;
  options: Doc;
  indexes: Index[];
  /** Position of the last write, so that a reader can wait until what it saw is durable. */
  lastWrite: number;
}

export type Catalog = ReturnType<typeof openCatalog>;

/** Collections and indexes, held in memory and written through. */
export function openCatalog(database: Database) {
  const collections = new Map<string, Collection>();
  const byId = new Map<number, Collection>();
  let lastId = 0;
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
  const all = (): Collection[] => [...collections.values()];
  return {
    find: (namespace: string): Collection | undefined => collections.get(namespace),
    all,
    ofDatabase: (name: string): Collection[] => all().filter(({ namespace }) => namespace.startsWith(`${name}.`)),
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
