import type { Doc } from "../values/bson";
import type { Collection } from "./catalog";
import type { Database } from "./database";
import { duplicateKey } from "./duplicate-key";
import type { History } from "./history";
import type { Index } from "./index-definition";
import { Blocked, difference, type Keys, keyText, type Transaction, writeConflict } from "./transaction";

export type Locks = ReturnType<typeof makeLocks>;

/** Who holds which documents and unique entries. Transactions hold what they write until they end. */
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

  function holdDocument(transaction: Transaction, collection: Collection, key: string): void {
    hold(transaction, `d${collection.id}:${key}`);
    if (!transaction.isImplicit && history.imageAt(collection.id, key, transaction.snapshot) !== undefined)
      throw writeConflict();
  }

  /** Refuses an entry that somebody else has; the claim counts once the whole write is accepted. */
  function checkUnique(transaction: Transaction, { collection, index, entry, key, doc }: UniqueClaim): void {
    const token = uniqueToken(index, entry);
    hold(transaction, token);
    if (!transaction.isImplicit && history.uniqueChangedSince(token, transaction.snapshot)) throw writeConflict();
    const taken = transaction.uniques.has(token)
      ? transaction.uniques.get(token)
      : database
          .entryOwners(index.id, entry)
          .map(keyText)
          .find((owner) => owner !== key);
    if (taken !== undefined && taken !== key) throw duplicateKey(collection, index, doc, entry);
  }

  function moveUniques(
    transaction: Transaction,
    collection: Collection,
    key: string,
    old: Keys,
    next: Keys,
    doc: Doc,
  ): void {
    const moves: [string, string | undefined][] = [];
    collection.indexes.forEach((index, at) => {
      if (!index.isUnique) return;
      const [left, entered] = difference(old[at] ?? [], next[at] ?? []);
      for (const entry of left) {
        hold(transaction, uniqueToken(index, entry));
        moves.push([uniqueToken(index, entry), undefined]);
      }
      for (const entry of entered) {
        checkUnique(transaction, { collection, index, entry, key, doc });
        moves.push([uniqueToken(index, entry), key]);
      }
    });
    for (const [token, owner] of moves) transaction.uniques.set(token, owner);
  }

  return {
    holdDocument,
    moveUniques,
    release(transaction: Transaction): void {
      for (const token of transaction.held) holds.delete(token);
    },
  };
}

interface UniqueClaim {
  collection: Collection;
  index: Index;
  entry: Buffer;
  key: string;
  doc: Doc;
}

const uniqueToken = (index: Index, entry: Buffer): string => `u${index.id}:${keyText(entry)}`;
