import { type Connection, Schema } from "mongoose";
import type { CredentialKind } from "../../shared/credential";
import { isDuplicateKey, type Tx } from "../../shared/mongo";
import { type Credential, credentialSlots } from "../domain/directory";

interface CredentialRecord {
  _id: string;
  kind: CredentialKind;
  tenant: string;
  owner: string;
  hash: string;
  /** Absent from a revoked credential, which stays so that no file brings it back. */
  slot?: number;
  createdAt: Date;
  lastUsedAt?: Date;
  revokedAt?: Date;
}

export type NewCredential = Omit<Credential, "slot" | "lastUsedAt">;

export interface CredentialStore {
  init(): Promise<void>;
  /** A live credential. */
  find(id: string): Promise<Credential | undefined>;
  /** Live credentials of one tenant, oldest first. */
  ofTenant(tenant: string): Promise<Credential[]>;
  /** Adds the first credential of a new owner. */
  addFirst(tx: Tx, credential: NewCredential): Promise<void>;
  /** Adds it in a free slot of its owner; false when all are taken. */
  add(credential: NewCredential): Promise<boolean>;
  /** Hash that is stored under this id afterwards: the given one, or that of the one that was there, alive or revoked. */
  addIfAbsent(credential: NewCredential): Promise<string>;
  /** False when the tenant has no live credential of this id. */
  revoke(tenant: string, id: string, at: Date): Promise<boolean>;
  /** Remembers when credentials were last used. */
  noteUses(uses: ReadonlyMap<string, Date>): Promise<void>;
}

const credentialSchema = new Schema<CredentialRecord>(
  {
    _id: { type: String, required: true },
    kind: { type: String, enum: ["key", "agent", "secret"], required: true },
    tenant: { type: String, required: true },
    owner: { type: String, required: true },
    hash: { type: String, required: true },
    slot: { type: Number },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date },
    revokedAt: { type: Date },
  },
  { versionKey: false, strict: "throw" },
);
credentialSchema.index(
  { tenant: 1, kind: 1, owner: 1, slot: 1 },
  { unique: true, partialFilterExpression: { slot: { $exists: true } } },
);

const toCredential = ({ _id, slot = 0, revokedAt: _revokedAt, lastUsedAt, ...rest }: CredentialRecord): Credential => ({
  id: _id,
  slot,
  lastUsedAt,
  ...rest,
});

/** Keyed hashes of API keys, agent keys and client secrets, by the public part of the credential. */
export function makeCredentialStore(connection: Connection): CredentialStore {
  const model = connection.model("Credential", credentialSchema, "credentials");
  const add = async ({ id, ...rest }: NewCredential): Promise<boolean> => {
    for (const slot of credentialSlots) {
      try {
        await model.create({ _id: id, ...rest, slot });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
    return false;
  };
  return {
    async init() {
      await model.createCollection();
      await model.createIndexes();
    },
    async find(id) {
      const record = await model.findOne({ _id: id, slot: { $exists: true } }).lean<CredentialRecord>();
      return record === null ? undefined : toCredential(record);
    },
    async ofTenant(tenant) {
      const live = { tenant, slot: { $exists: true } };
      const records = await model.find(live).sort({ createdAt: 1, _id: 1 }).lean<CredentialRecord[]>();
      return records.map(toCredential);
    },
    async addFirst({ session }, { id, ...rest }) {
      const [slot] = credentialSlots;
      await model.create([{ _id: id, ...rest, slot }], { session });
    },
    add,
    async addIfAbsent(credential) {
      const isNew = await add(credential);
      const stored = isNew ? undefined : await model.findById(credential.id).lean<CredentialRecord>();
      if (!isNew && !stored) throw new Error(`no slot is free for credential ${credential.id}`);
      return stored?.hash ?? credential.hash;
    },
    async revoke(tenant, id, at) {
      const live = { _id: id, tenant, slot: { $exists: true } };
      const { modifiedCount } = await model.updateOne(live, { $set: { revokedAt: at }, $unset: { slot: 1 } });
      return modifiedCount === 1;
    },
    async noteUses(uses) {
      const updates = [...uses].map(([_id, lastUsedAt]) => ({
        updateOne: { filter: { _id }, update: { $max: { lastUsedAt } } },
      }));
      if (updates.length > 0) await model.bulkWrite(updates, { ordered: false });
    },
  };
}
