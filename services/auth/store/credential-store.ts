import { type Connection, Schema } from "mongoose";
import type { CredentialKind } from "../../shared/credential";
import { isDuplicateKey } from "../../shared/mongo";
import type { Credential } from "../domain/directory";

interface CredentialRecord {
  _id: string;
  kind: CredentialKind;
  tenant: string;
  owner: string;
  hash: string;
}

export interface CredentialStore {
  init(): Promise<void>;
  find(id: string): Promise<Credential | undefined>;
  /** The credential that is stored under this id afterwards: the given one, or the one that was there before. */
  addIfAbsent(credential: Credential): Promise<Credential>;
}

const credentialSchema = new Schema<CredentialRecord>(
  {
    _id: { type: String, required: true },
    kind: { type: String, enum: ["key", "agent", "secret"], required: true },
    tenant: { type: String, required: true },
    owner: { type: String, required: true },
    hash: { type: String, required: true },
  },
  { versionKey: false, strict: "throw" },
);

/** Keyed hashes of API keys, agent keys and client secrets, by the public part of the credential. */
export function makeCredentialStore(connection: Connection): CredentialStore {
  const model = connection.model("Credential", credentialSchema, "credentials");
  const find = async (id: string): Promise<Credential | undefined> => {
    const record = await model.findById(id).lean<CredentialRecord>();
    if (record === null) return undefined;
    const { _id, ...rest } = record;
    return { id: _id, ...rest };
  };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    find,
    async addIfAbsent(credential) {
      const { id, ...rest } = credential;
      try {
        await model.create({ _id: id, ...rest });
        return credential;
      } catch (error) {
        const stored = isDuplicateKey(error) ? await find(id) : undefined;
        if (stored === undefined) throw error;
        return stored;
      }
    },
  };
}
