import type { Connection } from "mongoose";
import { driverDb } from "../../shared/storage/mongo";
import type { Finding } from "../domain/verification";

/** One walk over the ledger, running or finished. */
export interface Verification {
  id: string;
  startedAt: Date;
  finishedAt: Date | undefined;
  accounts: number;
  entries: number;
  rows: number;
  checkpoints: number;
  anchors: number;
  findings: readonly Finding[];
}

interface VerificationRecord extends Omit<Verification, "id" | "findings"> {
  _id: string;
  findings: Finding[];
}

export interface VerificationStore {
  init(): Promise<void>;
  save(verification: Verification): Promise<void>;
  find(id: string): Promise<Verification | undefined>;
  /** The newest walks by their start, at most `limit`. */
  latest(limit: number): Promise<Verification[]>;
}

/** Walks over the ledger, kept so that any replica can tell how one went, and an auditor when they were. */
export function makeVerificationStore(connection: Connection): VerificationStore {
  const verifications = driverDb(connection).collection<VerificationRecord>("verifications");
  return {
    async init() {
      await connection.createCollection("verifications");
      await verifications.createIndex({ startedAt: -1 });
    },
    async save({ id, findings, ...facts }) {
      const record = { ...facts, findings: [...findings] };
      await verifications.replaceOne({ _id: id }, record, { upsert: true });
    },
    async find(id) {
      const record = await verifications.findOne({ _id: id });
      return record === null ? undefined : toVerification(record);
    },
    async latest(limit) {
      const records = await verifications.find({}).sort({ startedAt: -1 }).limit(limit).toArray();
      return records.map(toVerification);
    },
  };
}

const toVerification = ({ _id, finishedAt, ...facts }: VerificationRecord): Verification => ({
  ...facts,
  id: _id,
  finishedAt: finishedAt ?? undefined,
});
