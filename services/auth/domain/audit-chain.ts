import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { keyIdOf } from "../../shared/crypto/sealing";

/** An actor's action on an object, and its outcome. No personal data, no secrets. */
export interface AuditEntry {
  at: Date;
  /** operator:<name>, user:<id>, client:<id>, tenant:<slug>, agent:<id> or service:<name>. */
  actor: string;
  tenant: string;
  action: string;
  object: string;
  /** begun, done, or the reason of a refusal. */
  outcome: string;
  requestId: string;
  address: string;
  /** Number of calls that the entry covers: repeats of one refusal are recorded together. */
  count: number;
  /** Name of the session of a person; empty for all others. */
  session: string;
}

/** An entry at its place in the chain. */
export interface AuditRecord extends AuditEntry {
  /** 1, 2, 3 and so on. */
  sequence: number;
  /** Id of the key that made the hash. */
  key: string;
  hash: string;
}

/** A key of the chain. */
export interface AuditKey {
  id: string;
  key: KeyObject;
}

/** Keys of the chain: the newest makes hashes and seals; all past keys verify them. */
export interface AuditKeys {
  newest: AuditKey;
  /** By id. */
  all: ReadonlyMap<string, KeyObject>;
}

/** Derives a 32-byte chain key from a sealing key (HKDF, RFC 5869), so that no key has two uses. */
export const auditKeyOf = (sealingKey: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", sealingKey, "", "corridor audit chain", 32));

/** Keys of 32 bytes, the newest first. */
export function auditKeysOf(keys: readonly [Buffer, ...Buffer[]]): AuditKeys {
  const [newest] = keys;
  const all = new Map(keys.map((key) => [keyIdOf(key), createSecretKey(key)]));
  return { newest: { id: keyIdOf(newest), key: createSecretKey(newest) }, all };
}

/** The end of the chain. */
export interface AuditHead {
  sequence: number;
  hash: string;
}

/** Before the first record. */
export const emptyChain: AuditHead = { sequence: 0, hash: "" };

/** Hashes a record with the one before. Keyed, so that write access to the store alone cannot make a new chain. */
function hashOf({ id, key }: AuditKey, before: string, sequence: number, entry: AuditEntry): string {
  const { at, actor, tenant, action, object, outcome, requestId, address, count, session } = entry;
  const fields = [
    id,
    before,
    sequence,
    at.toISOString(),
    actor,
    tenant,
    action,
    object,
    outcome,
    requestId,
    address,
    count,
    session,
  ];
  return createHmac("sha256", key).update(JSON.stringify(fields)).digest("base64url");
}

/** Turns the entries into records after `head`. */
export function chainEntries({ newest }: AuditKeys, head: AuditHead, entries: readonly AuditEntry[]): AuditRecord[] {
  let { sequence, hash } = head;
  return entries.map((entry) => {
    sequence += 1;
    hash = hashOf(newest, hash, sequence, entry);
    return { ...entry, sequence, key: newest.id, hash };
  });
}

/** Seals the begin of the chain: proof that this service moved it, not a writer of the store. */
export const sealBegin = ({ newest }: AuditKeys, begin: AuditHead): string => sealUnder(newest.key, begin);

/** True when one of the service's keys sealed this begin. */
export const isBeginSealed = ({ all }: AuditKeys, begin: AuditHead & { seal: string }): boolean =>
  [...all.values()].some((key) => sealUnder(key, begin) === begin.seal);

const sealUnder = (key: KeyObject, { sequence, hash }: AuditHead): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(["begin", sequence, hash]))
    .digest("base64url");

/** Walks along a chain from its begin. */
export interface AuditWalk {
  /** Checks the next record as stored. */
  step(record: AuditRecord): void;
  /** Sequence of the first record that differs from what was written; undefined while all match. */
  brokenAt(): number | undefined;
  /** The last record of the walk. */
  head(): AuditHead;
}

/** Verifies a chain: a changed, removed or moved record breaks the walk at its own place. `begin` is what lies before. */
export function walkChain({ all }: AuditKeys, begin: AuditHead = emptyChain): AuditWalk {
  let head = begin;
  let broken: number | undefined;
  return {
    step(record) {
      if (broken !== undefined) return;
      const sequence = head.sequence + 1;
      const key = all.get(record.key);
      const isGood =
        record.sequence === sequence &&
        key !== undefined &&
        record.hash === hashOf({ id: record.key, key }, head.hash, sequence, record);
      if (isGood) head = { sequence, hash: record.hash };
      else broken = sequence;
    },
    brokenAt: () => broken,
    head: () => head,
  };
}
