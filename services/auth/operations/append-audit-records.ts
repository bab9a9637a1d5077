import type { Transact } from "../../shared/storage/mongo";
import { type AuditEntry, type AuditKeys, chainEntries } from "../domain/audit-chain";
import type { AuditStore } from "../store/audit-store";

export interface AppendAuditDeps {
  transact: Transact;
  audit: Pick<AuditStore, "head" | "append">;
  keys: AuditKeys;
}

/** Adds entries at the end of the chain; resolved when they are stored. */
export type AppendAuditRecords = (entries: readonly AuditEntry[]) => Promise<void>;

/**
 * What comes while a write is under way waits and is written together with the next, since all writers meet at the head of
 * the chain. Writers of other replicas are dealt with by the transaction.
 */
export function makeAppendAuditRecords({ transact, audit, keys }: AppendAuditDeps): AppendAuditRecords {
  let waiting: AuditEntry[] = [];
  let next: Promise<void> | undefined;
  let present: Promise<void> = Promise.resolve();

  const write = async (before: Promise<void>): Promise<void> => {
    await before.catch(() => {});
    const entries = waiting;
    waiting = [];
    next = undefined;
    await transact(async (tx) => audit.append(tx, chainEntries(keys, await audit.head(tx), entries)));
  };

  return (entries) => {
    waiting.push(...entries);
    if (next === undefined) {
      next = write(present);
      present = next;
    }
    return next;
  };
}
