import { type Connection, Schema } from "mongoose";
import type { Sealer } from "../../shared/crypto/sealing";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";
import { isDuplicateKey } from "../../shared/storage/mongo";
import { date, number, strictDocument, text } from "../../shared/storage/stored-fields";
import type { SigningKey } from "../domain/signing-key";

interface SigningKeyRecord {
  _id: number;
  kid: string;
  publicJwk: Record<string, string>;
  sealedPrivateKey: string;
  signsFrom: Date;
}

export interface SigningKeyStore {
  init(): Promise<void>;
  /** Newest first. */
  all(): Promise<SigningKey[]>;
  /** Returns the key that is stored under this number afterwards: the given one, or the existing one. */
  addIfAbsent(key: SigningKey): Promise<SigningKey>;
  /** Returns false when there is none. */
  remove(kid: string): Promise<boolean>;
}

const signingKeySchema = new Schema<SigningKeyRecord>(
  {
    _id: number,
    kid: { type: String, required: true, unique: true },
    publicJwk: { type: Schema.Types.Mixed, required: true },
    sealedPrivateKey: text,
    signsFrom: date,
  },
  strictDocument,
);

const placeOf = (number: number | string): string => `signing_keys|${number}|privateKey`;

export const sealedSigningKeys = (ring: string, sealer: Sealer): KeyUse => ({
  ring,
  collection: "signing_keys",
  fields: [sealedField("sealedPrivateKey", sealer, ({ _id }) => placeOf(_id))],
});

/** Signing keys, by number; private keys are sealed. */
export function makeSigningKeyStore(connection: Connection, sealer: Sealer): SigningKeyStore {
  const model = connection.model("SigningKey", signingKeySchema, "signing_keys");
  const toKey = ({ _id, kid, publicJwk, sealedPrivateKey, signsFrom }: SigningKeyRecord): SigningKey => ({
    number: _id,
    kid,
    publicJwk,
    privatePem: sealer.open(sealedPrivateKey, placeOf(_id)).toString(),
    signsFrom,
  });
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async all() {
      const records = await model.find().sort({ _id: -1 }).lean<SigningKeyRecord[]>();
      return records.map(toKey);
    },
    async addIfAbsent(key) {
      const { number, privatePem, ...open } = key;
      try {
        await model.create({ _id: number, ...open, sealedPrivateKey: sealer.seal(privatePem, placeOf(number)) });
        return key;
      } catch (error) {
        const stored = isDuplicateKey(error) ? await model.findById(number).lean<SigningKeyRecord>() : null;
        if (stored === null) throw error;
        return toKey(stored);
      }
    },
    async remove(kid) {
      const { deletedCount } = await model.deleteOne({ kid });
      return deletedCount === 1;
    },
  };
}
