import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { makeSealer, type Sealer } from "../../shared/crypto/sealing";
import type { Ids } from "../../shared/kernel/ids";
import type { Keys } from "../../shared/kernel/keys";
import { type Checkpoint, coverOf } from "./checkpoint";
import { type Entry, entrySeed, markOf } from "./entry";

/** One key of the ledger's ring. */
interface LedgerKey {
  key: KeyObject;
  /** Seals seeds that an older key has made. Its key is derived (HKDF, RFC 5869), so that no key has two uses. */
  seeds: Sealer;
}

/** The keys of marks, seals and anchors, the newest first: it writes, and all of them prove. */
export type LedgerKeys = readonly [LedgerKey, ...LedgerKey[]];

export function makeLedgerKeys([newest, ...older]: Keys, ids: Pick<Ids, "bytes">): LedgerKeys {
  const open = (key: Buffer): LedgerKey => ({
    key: createSecretKey(key),
    seeds: makeSealer(Buffer.from(hkdfSync("sha256", key, "", "corridor ledger seeds", 32)), ids),
  });
  return [open(newest), ...older.map(open)];
}

/**
 * Returns the seed that the rows of an entry were hashed with; undefined when none of our keys made its mark. A renewed mark contains the
 * seed, sealed: the rows stay as they are, and the key that made them may be removed.
 */
export function seedOf(keys: LedgerKeys, entry: Entry): string | undefined {
  for (const key of keys) {
    const seed = seedUnder(key, entry);
    if (seed !== undefined) return seed;
  }
  return undefined;
}

/**
 * Returns the mark of an entry under the newest key; undefined when it already has that mark. Throws for a mark that none of our keys
 * made.
 */
export function renewMark([newest, ...older]: LedgerKeys, entry: Entry): string | undefined {
  if (seedUnder(newest, entry) !== undefined) return undefined;
  for (const key of older) {
    const seed = seedUnder(key, entry);
    if (seed !== undefined) return carriedMark(newest, entry, seed);
  }
  throw new Error("no key of the ring has made the mark of this entry");
}

/** True when a checkpoint is covered by one of our keys. */
export const isCovered = (keys: LedgerKeys, checkpoint: Checkpoint): boolean =>
  keys.some(({ key }) => coverOf(key, checkpoint) === checkpoint.cover);

/**
 * Returns the cover of a checkpoint under the newest key; undefined when it already has that cover. Throws for a cover that none of our
 * keys made.
 */
export function renewCover(keys: LedgerKeys, checkpoint: Checkpoint): string | undefined {
  const cover = coverOf(keys[0].key, checkpoint);
  if (cover === checkpoint.cover) return undefined;
  if (!isCovered(keys, checkpoint)) throw new Error("no key of the ring has covered this checkpoint");
  return cover;
}

const carried = /^c1\.([^.]+)\.(.+)$/u;
const placeOf = ({ id }: Pick<Entry, "id">): string => `entries|${id}|seed`;

/** Binds the seed of an older key to the entry under the given key. */
const tagOf = (key: KeyObject, entry: Entry, seed: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(["carried", entrySeed(key, entry), seed]))
    .digest("base64url");

const carriedMark = ({ key, seeds }: LedgerKey, entry: Entry, seed: string): string =>
  `c1.${tagOf(key, entry, seed)}.${seeds.seal(seed, placeOf(entry))}`;

function seedUnder({ key, seeds }: LedgerKey, entry: Entry): string | undefined {
  const [, tag, sealed = ""] = carried.exec(entry.mark) ?? [];
  if (tag === undefined) {
    const seed = entrySeed(key, entry);
    return entry.mark === markOf(seed) ? seed : undefined;
  }
  try {
    const seed = seeds.open(sealed, placeOf(entry)).toString();
    return tag === tagOf(key, entry, seed) ? seed : undefined;
  } catch {
    // The seed was sealed under another key, or was changed.
    return undefined;
  }
}
