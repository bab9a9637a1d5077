import type { Connection } from "mongoose";
import type { Tx } from "../../shared/mongo";
import { type AuditEntry, type AuditHead, type AuditRecord, emptyChain } from "../domain/audit-chain";

type StoredRecord = AuditEntry & { _id: number; hash: string };
type StoredHead = AuditHead & { _id: "head" };

export interface AuditStore {
  init(): Promise<void>;
  /** Where the chain ends. */
  head(tx?: Tx): Promise<AuditHead>;
  /** Adds records behind the head that was read in the same transaction. */
  append(tx: Tx, records: readonly AuditRecord[]): Promise<void>;
  /** Records behind a sequence, in order. */
  page(after: number, limit: number): Promise<AuditRecord[]>;
}

/** The audit log in `audit`, and where it ends in `audit_head`. Nothing here changes or removes a record. */
export function makeAuditStore(connection: Connection): AuditStore {
  const records = connection.collection<StoredRecord>("audit");
  const heads = connection.collection<StoredHead>("audit_head");
  return {
    async init() {
      await Promise.all([connection.createCollection("audit"), connection.createCollection("audit_head")]);
    },
    async head(tx) {
      const stored = await heads.findOne({ _id: "head" }, tx === undefined ? {} : { session: tx.session });
      return stored === null ? emptyChain : { sequence: stored.sequence, hash: stored.hash };
    },
    async append({ session }, appended) {
      const last = appended.at(-1);
      if (last === undefined) return;
      const { sequence, hash } = last;
      await heads.updateOne({ _id: "head" }, { $set: { sequence, hash } }, { upsert: true, session });
      await records.insertMany(
        appended.map(({ sequence: _id, ...rest }) => ({ _id, ...rest })),
        { session, ordered: true },
      );
    },
    async page(after, limit) {
      const found = await records
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, ...rest }) => ({ sequence: _id, ...rest }));
    },
  };
}
