import type { Inbox } from "../../shared/bus/inbox";
import type { Transact } from "../../shared/storage/mongo";
import { type AuditEntry, type AuditKeys, chainEntries } from "../domain/audit-chain";
import type { AuditStore } from "../store/audit-store";

export interface RecordToldDeps {
  transact: Transact;
  inbox: Pick<Inbox, "take">;
  audit: Pick<AuditStore, "head" | "append">;
  keys: AuditKeys;
}

/** What another service tells of one of its subjects. */
export interface ToldEntries {
  /** Where it comes from. */
  stream: string;
  subjectId: string;
  /** By ascending sequence: 1, 2, 3 and so on of the subject. */
  entries: readonly { sequence: number; entry: AuditEntry }[];
}

export type RecordTold = (told: ToldEntries) => Promise<void>;

/**
 * Adds what another service tells at the end of the chain, once, however often it comes. Throws VERSION_CONFLICT when
 * something of the subject is missing before it.
 */
export const makeRecordTold =
  ({ transact, inbox, audit, keys }: RecordToldDeps): RecordTold =>
  ({ stream, subjectId, entries }) =>
    transact(async (tx) => {
      const fresh = await inbox.take(tx, stream, subjectId, entries);
      if (fresh.length === 0) return;
      const records = fresh.map(({ entry }) => entry);
      await audit.append(tx, chainEntries(keys, await audit.head(tx), records));
    });
