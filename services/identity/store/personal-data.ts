import { makeSealer } from "../../shared/crypto/sealing";
import type { Ids } from "../../shared/kernel/ids";
import { type KeyUse, sealedField } from "../../shared/storage/key-use";

/** The facts about a person as they are stored: unreadable without the key of the record, which is sealed itself. */
export interface SealedRecord {
  dataKey: string;
  sealed: string;
}

/** Stores the facts about persons so that destroying one key makes all of a person's unreadable, copies and backups included. */
export interface PersonalData<T extends object> {
  /** Seals with a new key of the record's own. */
  seal(tenant: string, id: string, fields: T): SealedRecord;
  /** Seals again with the key that the record has. */
  reseal(tenant: string, id: string, dataKey: string, fields: T): string;
  open(tenant: string, id: string, record: SealedRecord): T;
  /** The key of a record, from which keys for its parts are derived. */
  keyOf(tenant: string, id: string, dataKey: string): Buffer;
  /** What has to be resealed under the newest sealing key: only the keys of records. */
  renewal(ring: string): KeyUse;
}

/** The personal data of one collection. The first sealing key seals the keys of its records; all of them open these. */
export function makePersonalData<T extends object>(
  sealingKeys: readonly Buffer[],
  collection: string,
  ids: Pick<Ids, "bytes">,
): PersonalData<T> {
  const keys = makeSealer(sealingKeys, ids);
  const place = (tenant: string, id: string, field: string): string => `${tenant}|${collection}|${id}|${field}`;
  const sealWith = (key: Buffer, tenant: string, id: string, fields: T): string =>
    makeSealer(key, ids).seal(JSON.stringify(fields), place(tenant, id, "fields"));
  const openKey = (tenant: string, id: string, dataKey: string): Buffer => keys.open(dataKey, place(tenant, id, "key"));
  return {
    seal(tenant, id, fields) {
      const key = ids.bytes(32);
      return { dataKey: keys.seal(key, place(tenant, id, "key")), sealed: sealWith(key, tenant, id, fields) };
    },
    reseal: (tenant, id, dataKey, fields) => sealWith(openKey(tenant, id, dataKey), tenant, id, fields),
    open(tenant, id, { dataKey, sealed }) {
      const text = makeSealer(openKey(tenant, id, dataKey), ids).open(sealed, place(tenant, id, "fields"));
      return JSON.parse(text.toString()) as T;
    },
    keyOf: openKey,
    renewal: (ring) => ({
      ring,
      collection,
      fields: [sealedField("dataKey", keys, ({ _id, tenant = "" }) => place(tenant, String(_id), "key"))],
    }),
  };
}
