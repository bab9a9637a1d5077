import { type Connection, Schema } from "mongoose";
import type { Verification } from "../ports";

interface VerificationRecord extends Omit<Verification, "id"> {
  _id: string;
}

export interface VerificationStore {
  init(): Promise<void>;
  add(verification: Verification): Promise<void>;
  find(tenant: string, id: string): Promise<Verification | undefined>;
}

/** Which sessions were asked about. */
export function makeVerificationStore(connection: Connection): VerificationStore {
  const model = connection.model("Verification", new Schema({ _id: String }, { versionKey: false }), "verifications");
  const verifications = connection.collection<VerificationRecord>("verifications");
  return {
    async init() {
      await model.createCollection();
    },
    async add({ id, ...facts }) {
      await verifications.insertOne({ _id: id, ...facts });
    },
    async find(tenant, id) {
      const record = await verifications.findOne({ _id: id, tenant });
      if (record === null) return undefined;
      const { _id, ...facts } = record;
      return { id: _id, ...facts };
    },
  };
}
