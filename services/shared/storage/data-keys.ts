import { createHmac, createSecretKey, hkdfSync } from "node:crypto";
import { type Connection, Schema } from "mongoose";
import { makeSealer, type Sealer } from "../crypto/sealing";
import { systemClock } from "../kernel/clock";
import type { Ids } from "../kernel/ids";
import { type KeyUse, sealedField } from "./key-use";
import { isDuplicateKey } from "./mongo";
import { date, strictDocument, text } from "./stored-fields";

/** The operations of a tenant's key. */
export interface TenantKey extends Pick<Sealer, "seal" | "open"> {
  /** Returns a keyed hash: equal words have equal hashes, and the hash reveals no word. */
  index(...words: readonly string[]): string;
}

/** Keys that seal the data which a tenant's customers entrust to it, one per tenant, themselves sealed. */
export interface DataKeys {
  init(): Promise<void>;
  /** Returns a tenant's key, which is made at its first use and kept in memory. Throws when it cannot be opened. */
  of(tenant: string): Promise<TenantKey>;
  /** Returns what is to be resealed under the newest sealing key: only the keys; what they have sealed stays as it is. */
  renewal(ring: string): KeyUse;
  /** Returns every tenant that has a key here. */
  tenants(): Promise<string[]>;
}

export interface DataKeysOptions {
  connection: Connection;
  /** Sealing keys of 32 bytes: the first one seals the keys, and each of them opens what it sealed. */
  sealingKeys: readonly Buffer[];
  ids: Pick<Ids, "bytes">;
}

interface KeyRecord {
  /** The tenant. */
  _id: string;
  key: string;
  createdAt: Date;
}

const keySchema = new Schema<KeyRecord>({ _id: text, key: text, createdAt: date }, strictDocument);

const placeOf = (tenant: string): string => `${tenant}|data_keys|${tenant}|key`;

/** Makes a tenant's key from 32 bytes. The key for its index hashes is derived from it (HKDF, RFC 5869), so that no key has two uses. */
export function makeTenantKey(key: Buffer, ids: Pick<Ids, "bytes">): TenantKey {
  const indexKey = createSecretKey(Buffer.from(hkdfSync("sha256", key, "", "corridor blind index", 32)));
  return {
    ...makeSealer(key, ids),
    index: (...words) => createHmac("sha256", indexKey).update(JSON.stringify(words)).digest("base64url"),
  };
}

/** Collection `data_keys`. Replacing the sealing key touches one record per tenant and nothing that was sealed with it. */
export function makeDataKeys({ connection, sealingKeys, ids }: DataKeysOptions): DataKeys {
  const keys = connection.model("DataKey", keySchema, "data_keys");
  const sealer = makeSealer(sealingKeys, ids);
  const cache = new Map<string, Promise<TenantKey>>();
  const open = (record: KeyRecord): TenantKey => makeTenantKey(sealer.open(record.key, placeOf(record._id)), ids);
  const load = async (tenant: string): Promise<TenantKey> => {
    const found = await keys.findById(tenant).lean<KeyRecord>();
    if (found !== null) return open(found);
    const fresh = { _id: tenant, key: sealer.seal(ids.bytes(32), placeOf(tenant)), createdAt: systemClock.now() };
    try {
      await keys.create(fresh);
      return open(fresh);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    return load(tenant);
  };
  return {
    async init() {
      await keys.createCollection();
    },
    of(tenant) {
      const known = cache.get(tenant);
      if (known !== undefined) return known;
      const loading = load(tenant);
      cache.set(tenant, loading);
      loading.catch(() => cache.delete(tenant));
      return loading;
    },
    renewal: (ring) => ({
      ring,
      collection: "data_keys",
      fields: [sealedField("key", sealer, ({ _id }) => placeOf(String(_id)))],
    }),
    async tenants() {
      const found = await keys.find({}, { _id: 1 }).lean<Pick<KeyRecord, "_id">[]>();
      return found.map(({ _id }) => _id);
    },
  };
}
