import { type Connection, Schema } from "mongoose";
import { date, listOf, oneOf, strictDocument, text } from "../../shared/storage/stored-fields";
import type { Verification } from "../ports";

interface VerificationRecord extends Omit<Verification, "id"> {
  _id: string;
}

export interface VerificationStore {
  init(): Promise<void>;
  add(verification: Verification): Promise<void>;
  find(tenant: string, id: string): Promise<Verification | undefined>;
}

const verificationSchema = new Schema<VerificationRecord>(
  {
    _id: text,
    tenant: text,
    about: oneOf(["session", "document"] satisfies Verification["about"][]),
    subjectId: text,
    checks: listOf(String),
    createdAt: date,
  },
  strictDocument,
);

/** Verifications: the sessions and documents that callers asked about. */
export function makeVerificationStore(connection: Connection): VerificationStore {
  const model = connection.model("Verification", verificationSchema, "verifications");
  return {
    async init() {
      await model.createCollection();
    },
    async add({ id, ...facts }) {
      await model.create({ _id: id, ...facts });
    },
    async find(tenant, id) {
      const record = await model.findOne({ _id: id, tenant }).lean<VerificationRecord>();
      if (record === null) return undefined;
      const { _id, ...facts } = record;
      return { id: _id, ...facts };
    },
  };
}
