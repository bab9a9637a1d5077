import { type Connection, Schema } from "mongoose";

interface VerifierRecord {
  _id: string;
  seenAt: Date;
}

/** Processes that verify credentials, as they were last heard of. */
export interface VerifierStore {
  init(): Promise<void>;
  note(id: string, at: Date): Promise<void>;
  /** How many were heard of after `from`. */
  countSince(from: Date): Promise<number>;
}

/** After this long without a word a process is forgotten. */
const keepSeconds = 3_600;

const verifierSchema = new Schema<VerifierRecord>(
  { _id: { type: String, required: true }, seenAt: { type: Date, required: true } },
  { versionKey: false, strict: "throw" },
);
verifierSchema.index({ seenAt: 1 }, { expireAfterSeconds: keepSeconds });

/** Verifiers in collection `verifiers`. */
export function makeVerifierStore(connection: Connection): VerifierStore {
  const model = connection.model("Verifier", verifierSchema, "verifiers");
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async note(_id, seenAt) {
      await model.updateOne({ _id }, { $set: { seenAt } }, { upsert: true });
    },
    countSince: (from) => model.countDocuments({ seenAt: { $gt: from } }),
  };
}
