import { type Connection, Schema } from "mongoose";
import type { CredentialKind } from "../../shared/crypto/credential";
import type { KeyUse } from "../../shared/storage/key-use";
import { isDuplicateKey, type Tx } from "../../shared/storage/mongo";
import { date, listOf, mayListOf, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import { type CredentialBounds, isBound, unbound } from "../domain/credential-bounds";
import type { CredentialHasher } from "../domain/credential-hash";
import { type Credential, credentialSlots } from "../domain/directory";

interface CredentialRecord {
  _id: string;
  kind: CredentialKind;
  tenant: string;
  owner: string;
  hash: string;
  /** Absent from a revoked credential, which stays so that no bootstrap file restores it. */
  slot?: number;
  /** Absent from an unbound credential. */
  bounds?: BoundsRecord;
  createdAt: Date;
  lastUsedAt?: Date;
  revokedAt?: Date;
}

interface BoundsRecord {
  scopes?: string[];
  expiresAt?: Date;
  allowlist: string[];
}

/** A client secret with restricted tokens: it is bound or revoked. */
export interface SecretRule {
  id: string;
  isRevoked: boolean;
  bounds: CredentialBounds;
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
  /** Adds it in a free slot of its owner; returns false when all are taken. */
  add(credential: NewCredential): Promise<boolean>;
  /** Replaces a hash by that under a newer pepper, unless another process has replaced it. */
  rehash(id: string, before: string, hash: string): Promise<void>;
  /** Returns the hash that is stored under this id afterwards: the given one, or that of the existing credential, live or revoked. */
  addIfAbsent(credential: NewCredential): Promise<string>;
  /** Returns false when the tenant has no live credential with this id. */
  revoke(tenant: string, id: string, at: Date): Promise<boolean>;
  /** Sets all bounds; returns the credential afterwards, or undefined when the tenant has no live one with this id. */
  bind(tenant: string, id: string, bounds: CredentialBounds): Promise<Credential | undefined>;
  /** Live client secrets that are bound, and those that were revoked after a given time. */
  secretRules(revokedAfter: Date): Promise<SecretRule[]>;
  /** Stores when credentials were last used. */
  noteUses(uses: ReadonlyMap<string, Date>): Promise<void>;
}

const credentialSchema = new Schema<CredentialRecord>(
  {
    _id: text,
    kind: oneOf(["key", "agent", "secret"]),
    tenant: text,
    owner: text,
    hash: text,
    slot: Number,
    bounds: part({ scopes: mayListOf(String), expiresAt: Date, allowlist: listOf(String) }),
    createdAt: date,
    lastUsedAt: Date,
    revokedAt: Date,
  },
  strictDocument,
);
credentialSchema.index(
  { tenant: 1, kind: 1, owner: 1, slot: 1 },
  { unique: true, partialFilterExpression: { slot: { $exists: true } } },
);

credentialSchema.index({ kind: 1, revokedAt: 1 }, { partialFilterExpression: { revokedAt: { $exists: true } } });
credentialSchema.index({ kind: 1, "bounds.allowlist": 1 }, { partialFilterExpression: { bounds: { $exists: true } } });

const toBounds = (record: BoundsRecord | undefined): CredentialBounds =>
  record === undefined ? unbound : { scopes: record.scopes, expiresAt: record.expiresAt, allowlist: record.allowlist };

const toBoundsRecord = ({ scopes, expiresAt, allowlist }: CredentialBounds): BoundsRecord => ({
  ...(scopes === undefined ? {} : { scopes: [...scopes] }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
  allowlist: [...allowlist],
});

const toRecord = ({ id, bounds, ...rest }: NewCredential): CredentialRecord => ({
  _id: id,
  ...rest,
  ...(isBound(bounds) ? { bounds: toBoundsRecord(bounds) } : {}),
});

const toCredential = ({
  _id,
  slot = 0,
  revokedAt: _revokedAt,
  lastUsedAt,
  bounds,
  ...rest
}: CredentialRecord): Credential => ({
  id: _id,
  slot,
  bounds: toBounds(bounds),
  lastUsedAt,
  ...rest,
});

const ruleOf = (isRevoked: boolean) => (record: CredentialRecord) => ({
  id: record._id,
  isRevoked,
  bounds: toBounds(record.bounds),
});

/** A hash cannot be remade without the credential: it counts as pending until its owner has presented it. */
export const credentialHashes = (ring: string, { ageOf }: Pick<CredentialHasher, "ageOf">): KeyUse => ({
  ring,
  collection: "credentials",
  reads: ["slot"],
  counts: ({ slot }) => slot !== undefined,
  fields: [{ path: "hash", renew: (hash) => ({ state: stateOf(ageOf(hash)) }) }],
});

function stateOf(age: ReturnType<CredentialHasher["ageOf"]>): "newest" | "left" {
  if (age === "unknown") throw new Error("the credential is hashed with a pepper that is not in the ring");
  return age === "newest" ? "newest" : "left";
}

/** Keyed hashes of API keys, agent keys and client secrets, by the public part of the credential. */
export function makeCredentialStore(connection: Connection): CredentialStore {
  const model = connection.model("Credential", credentialSchema, "credentials");
  const add = async (credential: NewCredential): Promise<boolean> => {
    for (const slot of credentialSlots) {
      try {
        await model.create({ ...toRecord(credential), slot });
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
    async addFirst({ session }, credential) {
      const [slot] = credentialSlots;
      await model.create([{ ...toRecord(credential), slot }], { session });
    },
    add,
    async addIfAbsent(credential) {
      const isNew = await add(credential);
      const stored = isNew ? undefined : await model.findById(credential.id).lean<CredentialRecord>();
      if (!isNew && !stored) throw new Error(`no slot is free for credential ${credential.id}`);
      return stored?.hash ?? credential.hash;
    },
    async rehash(_id, before, hash) {
      await model.updateOne({ _id, hash: before }, { $set: { hash } });
    },
    async revoke(tenant, id, at) {
      const live = { _id: id, tenant, slot: { $exists: true } };
      const { modifiedCount } = await model.updateOne(live, { $set: { revokedAt: at }, $unset: { slot: 1 } });
      return modifiedCount === 1;
    },
    async bind(tenant, id, bounds) {
      const live = { _id: id, tenant, slot: { $exists: true } };
      const update = isBound(bounds)
        ? { $set: { bounds: toBoundsRecord(bounds) } }
        : { $unset: { bounds: 1 as const } };
      const after = await model.findOneAndUpdate(live, update, { returnDocument: "after" }).lean<CredentialRecord>();
      return after === null ? undefined : toCredential(after);
    },
    async secretRules(revokedAfter) {
      const kind = "secret";
      const [bound, revoked] = await Promise.all([
        model.find({ kind, bounds: { $exists: true }, slot: { $exists: true } }).lean<CredentialRecord[]>(),
        model.find({ kind, revokedAt: { $gt: revokedAfter } }).lean<CredentialRecord[]>(),
      ]);
      return [...revoked.map(ruleOf(true)), ...bound.map(ruleOf(false))];
    },
    async noteUses(uses) {
      const updates = [...uses].map(([_id, lastUsedAt]) => ({
        updateOne: { filter: { _id }, update: { $max: { lastUsedAt } } },
      }));
      if (updates.length > 0) await model.bulkWrite(updates, { ordered: false });
    },
  };
}
