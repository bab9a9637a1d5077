import type { Server } from "./commands/context";
import type { Collection } from "./storage/catalog";
import { noDocument } from "./storage/database";
import type { Index } from "./storage/index-definition";
import { indexKeys } from "./storage/index-keys";
import { Blocked, keyText } from "./storage/transaction";
import { decode } from "./values/bson";
import { keyAfter, keyOf, rankKey } from "./values/keys";

/** Most documents of an index removed in one sweep; the next one comes soon. */
const mostPerSweep = 500;

/** Removes documents whose time has passed, through the same path as any delete. Documents in use wait for the next sweep. */
export function sweepExpired(server: Server): void {
  for (const collection of server.catalog.all()) {
    for (const index of collection.indexes)
      if (index.expireAfterSeconds !== undefined) sweep(server, collection, index);
  }
}

function sweep(server: Server, collection: Collection, index: Index): void {
  const limit = new Date(Date.now() - (index.expireAfterSeconds ?? 0) * 1_000);
  const start = { entry: rankKey(limit), document: noDocument };
  // An index holds null and other types too; only dates expire.
  const rows = server.database.entries(index.id, false, start, keyAfter(keyOf(limit)), mostPerSweep);
  if (rows.length === 0) return;
  const { transactions } = server;
  const transaction = transactions.begin(true);
  for (const { key, bytes } of rows) {
    const keys = collection.indexes.map((other) => indexKeys(other, decode(bytes)));
    try {
      transactions.write(transaction, collection, keyText(key), { bytes, keys }, undefined);
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
    }
  }
  transactions.commit(transaction, () => {});
  server.log("info", `${rows.length} documents of ${collection.namespace} expired`);
}
