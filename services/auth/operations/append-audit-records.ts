import type { Transact } from "../../shared/storage/mongo";
import { type AuditEntry, type AuditKeys, chainEntries } from "../domain/audit-chain";
import type { AuditStore } from "../store/audit-store";

export interface AppendAuditDeps {
  transact: Transact;
  audit: Pick<AuditStore, "head" | "append">;
  keys: AuditKeys;
}

/** Appends entries to the chain; resolves once they are stored. */
export type AppendAuditRecords = (entries: readonly AuditEntry[]) => Promise<void>;

/**
 * Entries that arrive during a write wait and share the next one, since all writers meet at the head of the chain. The
 * transaction handles writers of other replicas.
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
