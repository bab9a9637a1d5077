import { createHmac } from "node:crypto";
import type { Ids } from "../shared/ids";
import { makeSealer } from "../shared/sealing";
import type { PersonFields } from "./domain/person-fields";

/** What is known of a person as it is kept: unreadable without the key of the person, which is sealed itself. */
export interface SealedPerson {
  dataKey: string;
  sealed: string;
}

/** Keeps what is known of persons so that destroying one key makes all of it unreadable, copies and backups included. */
export interface PersonalData {
  /** Seals with a new key of the person's own. */
  seal(tenant: string, id: string, fields: PersonFields): SealedPerson;
  /** Seals again with the key that the person has. */
  reseal(tenant: string, id: string, dataKey: string, fields: PersonFields): string;
  open(tenant: string, id: string, person: SealedPerson): PersonFields;
  /**
   * A keyed hash of the identity document within the tenant (a blind index), equal for equal documents however their
   * numbers are spaced. Undefined without a document.
   */
  documentIndex(tenant: string, fields: PersonFields): string | undefined;
}

/** `sealingKey` seals the keys of persons, `indexKey` makes the blind index; both have 32 bytes. */
export function makePersonalData(sealingKey: Buffer, indexKey: Buffer, ids: Pick<Ids, "bytes">): PersonalData {
  const keys = makeSealer(sealingKey, ids);
  const place = (tenant: string, id: string, field: string): string => `${tenant}|participants|${id}|${field}`;
  const sealWith = (key: Buffer, tenant: string, id: string, fields: PersonFields): string =>
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
      return JSON.parse(text.toString()) as PersonFields;
    },
    documentIndex(tenant, { identificationType = "", identification }) {
      if (identification === undefined) return undefined;
      const number = identification.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
      return createHmac("sha256", indexKey)
        .update(JSON.stringify([tenant, identificationType, number]))
        .digest("hex");
    },
  };
}
