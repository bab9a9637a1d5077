import { createHmac } from "node:crypto";

/** Who did what to what, and how it ended. No personal data, no secrets. */
export interface AuditEntry {
  at: Date;
  /** operator:<name>, client:<id>, tenant:<slug>, agent:<id> or service:<name>. */
  actor: string;
  tenant: string;
  action: string;
  object: string;
  /** begun, done, or the reason of the refusal. */
  outcome: string;
  requestId: string;
  address: string;
  /** How many calls it stands for: repeats of one refusal are told together. */
  count: number;
}

/** An entry at its place in the chain. */
export interface AuditRecord extends AuditEntry {
  /** 1, 2, 3 and so on. */
  sequence: number;
  hash: string;
}

/** Where the chain ends. */
export interface AuditHead {
  sequence: number;
  hash: string;
}

/** Before the first record. */
export const emptyChain: AuditHead = { sequence: 0, hash: "" };

/** Hash over a record and the one before. Keyed: who can write the store cannot make a new chain without the key. */
function hashOf(key: Buffer, before: string, sequence: number, entry: AuditEntry): string {
  const { at, actor, tenant, action, object, outcome, requestId, address, count } = entry;
  const fields = [
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
  ];
  return createHmac("sha256", key).update(JSON.stringify(fields)).digest("base64url");
}

/** The entries as records behind `head`. */
export function chainEntries(key: Buffer, head: AuditHead, entries: readonly AuditEntry[]): AuditRecord[] {
  let { sequence, hash } = head;
  return entries.map((entry) => {
    sequence += 1;
    hash = hashOf(key, hash, sequence, entry);
    return { ...entry, sequence, hash };
  });
}

/** Proves that it was this service that moved the begin of the chain here, and not one who can only write the store. */
export function sealBegin(key: Buffer, { sequence, hash }: AuditHead): string {
  return createHmac("sha256", key)
    .update(JSON.stringify(["begin", sequence, hash]))
    .digest("base64url");
}

/** Walks along a chain from its begin. */
export interface AuditWalk {
  /** Takes the next record as it is stored. */
  step(record: AuditRecord): void;
  /** Sequence of the first record that is not what was written; undefined while all are. */
  brokenAt(): number | undefined;
  /** Where the walk stands. */
  head(): AuditHead;
}

/** A record that was changed, taken out or put elsewhere breaks the walk at its own place. `begin` is what lies before. */
export function walkChain(key: Buffer, begin: AuditHead = emptyChain): AuditWalk {
  let head = begin;
  let broken: number | undefined;
  return {
    step(record) {
      if (broken !== undefined) return;
      const sequence = head.sequence + 1;
      const isGood = record.sequence === sequence && record.hash === hashOf(key, head.hash, sequence, record);
      if (isGood) head = { sequence, hash: record.hash };
      else broken = sequence;
    },
    brokenAt: () => broken,
    head: () => head,
  };
}
