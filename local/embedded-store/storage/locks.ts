import type { Doc } from "../values/bson";
import type { Collection } from "./catalog";
import type { Database } from "./database";
import { duplicateKey } from "./duplicate-key";
import type { History } from "./history";
import type { Index } from "./index-definition";
import { Blocked, difference, type Keys, keyText, type Transaction, writeConflict } from "./transaction";

export type Locks = ReturnType<typeof makeLocks>;

/** Owners of documents and unique entries. A transaction holds what it writes until it ends. */
export function makeLocks(database: Database, history: History) {
  const holds = new Map<string, Transaction>();

  function hold(transaction: Transaction, token: string): void {
    const holder = holds.get(token);
    if (holder === transaction) return;
    if (holder !== undefined) throw transaction.isImplicit ? new Blocked(holder) : writeConflict();
    if (transaction.isImplicit) return;
    holds.set(token, transaction);
    transaction.held.push(token);
  }

  /** The document that has an entry, as this transaction sees it. */
  function ownerOf({ uniques }: Transaction, index: Index, entry: Buffer, except: string): string | undefined {
    const token = uniqueToken(index, entry);
    const owners = uniques.has(token) ? [uniques.get(token)] : database.entryOwners(index.id, entry).map(keyText);
    return owners.find((owner) => owner !== undefined && owner !== except);
  }

  return {
    holdDocument(transaction: Transaction, collection: Collection, key: string): void {
      hold(transaction, `d${collection.id}:${key}`);
      if (!transaction.isImplicit && history.imageAt(collection.id, key, transaction.snapshot) !== undefined)
        throw writeConflict();
    },
    /** Releases and takes unique entries. If another transaction holds one, the call is refused and none has moved. */
    moveUniques(transaction: Transaction, collection: Collection, key: string, old: Keys, next: Keys, doc: Doc): void {
      const moves: [string, string | undefined][] = [];
      for (const [at, index] of collection.indexes.entries()) {
        if (!index.isUnique) continue;
        const [left, entered] = difference(old[at], next[at]);
        for (const entry of [...left, ...entered]) hold(transaction, uniqueToken(index, entry));
        for (const entry of left) moves.push([uniqueToken(index, entry), undefined]);
        for (const entry of entered) {
          const token = uniqueToken(index, entry);
          const isStale = !transaction.isImplicit && history.uniqueChangedSince(token, transaction.snapshot);
          if (isStale) throw writeConflict();
          if (ownerOf(transaction, index, entry, key) !== undefined) throw duplicateKey(collection, index, doc, entry);
          moves.push([token, key]);
        }
      }
      for (const [token, owner] of moves) transaction.uniques.set(token, owner);
    },
    release(transaction: Transaction): void {
      for (const token of transaction.held) holds.delete(token);
    },
  };
}

const uniqueToken = (index: Index, entry: Buffer): string => `u${index.id}:${keyText(entry)}`;
