import type { Inbox } from "../../shared/bus/inbox";
import type { Transact } from "../../shared/storage/mongo";
import { type AuditEntry, type AuditKeys, chainEntries } from "../domain/audit-chain";
import type { AuditStore } from "../store/audit-store";

export interface RecordReportedDeps {
  transact: Transact;
  inbox: Pick<Inbox, "take">;
  audit: Pick<AuditStore, "head" | "append">;
  keys: AuditKeys;
}

/** Entries that another service reports about one of its subjects. */
export interface ReportedEntries {
  /** The bus stream that they come from. */
  stream: string;
  subjectId: string;
  /** By ascending sequence, counted from 1 per subject. */
  entries: readonly { sequence: number; entry: AuditEntry }[];
}

export type RecordReported = (reported: ReportedEntries) => Promise<void>;

/**
 * Appends another service's entries to the chain, each once, however often it is delivered. Throws VERSION_CONFLICT when an
 * earlier entry of the subject is missing.
 */
export const makeRecordReported =
  ({ transact, inbox, audit, keys }: RecordReportedDeps): RecordReported =>
  ({ stream, subjectId, entries }) =>
    transact(async (tx) => {
      const fresh = await inbox.take(tx, stream, subjectId, entries);
      if (fresh.length === 0) return;
      const records = fresh.map(({ entry }) => entry);
      await audit.append(tx, chainEntries(keys, await audit.head(tx), records));
    });
