import { type Connection, Schema } from "mongoose";
import type { Sealer } from "../../shared/crypto/sealing";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";
import { strictDocument, text } from "../../shared/storage/stored-fields";

interface AuditKeyRecord {
  /** Id of the key. */
  _id: string;
  sealedKey: string;
}

export interface AuditKeyStore {
  init(): Promise<void>;
  /** Adds keys; existing ones stay as they are. */
  keep(keys: ReadonlyMap<string, Buffer>): Promise<void>;
  all(): Promise<Buffer[]>;
}

const placeOf = (id: string): string => `audit_keys|${id}|key`;

export const sealedAuditKeys = (ring: string, sealer: Sealer): KeyUse => ({
  ring,
  collection: "audit_keys",
  fields: [sealedField("sealedKey", sealer, ({ _id }) => placeOf(String(_id)))],
});

const keySchema = new Schema<AuditKeyRecord>({ _id: text, sealedKey: text }, strictDocument);

/** Every key that the audit chain has ever had, sealed: records outlive the sealing key that their chain key was derived from. */
export function makeAuditKeyStore(connection: Connection, sealer: Sealer): AuditKeyStore {
  const model = connection.model("AuditKey", keySchema, "audit_keys");
  return {
    async init() {
      await model.createCollection();
    },
    async keep(fresh) {
      for (const [_id, key] of fresh) {
        const sealedKey = sealer.seal(key, placeOf(_id));
        await model.updateOne({ _id }, { $setOnInsert: { sealedKey } }, { upsert: true });
      }
    },
    async all() {
      const records = await model.find().sort({ _id: 1 }).lean<AuditKeyRecord[]>();
      return records.map(({ _id, sealedKey }) => sealer.open(sealedKey, placeOf(_id)));
    },
  };
}
