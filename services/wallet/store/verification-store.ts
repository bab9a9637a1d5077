import { type Connection, Schema } from "mongoose";
import { date, listOf, number, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import { type Finding, faults } from "../domain/verification";

/** One run of the verification over the ledger, unfinished or finished. */
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
  /** Returns the most recently started runs, at most `limit`. */
  latest(limit: number): Promise<Verification[]>;
}

const verificationSchema = new Schema<VerificationRecord>(
  {
    _id: text,
    startedAt: date,
    finishedAt: Date,
    accounts: number,
    entries: number,
    rows: number,
    checkpoints: number,
    anchors: number,
    findings: listOf(part({ fault: oneOf(faults), record: text, detail: text })),
  },
  strictDocument,
).index({ startedAt: -1 });

/** Stores verifications of the ledger, so that any replica can report their results, and an auditor can see when they ran. */
export function makeVerificationStore(connection: Connection): VerificationStore {
  const model = connection.model("Verification", verificationSchema, "verifications");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async save({ id, findings, ...facts }) {
      const record = { ...facts, findings: [...findings] };
      await model.replaceOne({ _id: id }, record, { upsert: true });
    },
    async find(id) {
      const record = await model.findById(id).lean<VerificationRecord>();
      return record === null ? undefined : toVerification(record);
    },
    async latest(limit) {
      const records = await model.find({}).sort({ startedAt: -1 }).limit(limit).lean<VerificationRecord[]>();
      return records.map(toVerification);
    },
  };
}

const toVerification = ({ _id, finishedAt, ...facts }: VerificationRecord): Verification => ({
  ...facts,
  id: _id,
  finishedAt: finishedAt ?? undefined,
});
