import { hkdfSync } from "node:crypto";
import { makeBoundedCache } from "../../shared/bounded-cache";
import { plusMs, systemClock } from "../../shared/clock";
import type { DataKeys } from "../../shared/data-keys";
import { systemIds } from "../../shared/ids";
import { makeSealer, type Sealer } from "../../shared/sealing";
import { type Means, meansOf } from "../domain/means";
import type { Payment } from "../domain/payment";
import type { ParticipantKeys } from "./participant-keys";

/** Whose evidence it is, and what seals it. */
export interface EvidenceKey {
  /** Ids of the keys that all must be there for it to open. */
  persons: readonly string[];
  /** Undefined once one of the persons was erased: nothing that they left is kept. */
  sealer: Pick<Sealer, "seal"> | undefined;
}

/** Keys of the persons of payments. What providers wrote is theirs, and goes with them. */
export interface EvidenceKeys {
  /** For what is to be sealed about a payment. */
  of(payment: Pick<Payment, "tenant" | "pull" | "payout">): Promise<EvidenceKey>;
  /** For what is to be sealed, by the ids of a key that was there before. */
  again(persons: readonly string[]): Promise<EvidenceKey>;
  /** For what was sealed; undefined once one of the persons was erased. Looked up each time. */
  opener(persons: readonly string[]): Promise<Pick<Sealer, "open"> | undefined>;
}

const cached = 10_000;
const cachedMs = 3_600_000;

/** The id of the key of those who pay, or are paid, by these means. */
export const personOf = async (keys: Pick<DataKeys, "of">, tenant: string, means: Means): Promise<string> =>
  `means-${(await keys.of(tenant)).index("means", ...means)}`;

export function makeEvidenceKeys(keys: Pick<DataKeys, "of">, people: Pick<ParticipantKeys, "find">): EvidenceKeys {
  // What is sealed with a key that was destroyed meanwhile does not open: a cached one does no harm.
  const sealers = makeBoundedCache<Sealer>(cached, systemClock);
  const load = async (persons: readonly string[]): Promise<Sealer | undefined> => {
    const found = await Promise.all(
      persons.map((person) => {
        const at = person.indexOf("/");
        return people.find({ tenant: person.slice(0, at), participantId: person.slice(at + 1) });
      }),
    );
    if (found.some((key) => key === undefined)) return undefined;
    const all = Buffer.concat(found.filter((key) => key !== undefined));
    return makeSealer(Buffer.from(hkdfSync("sha256", all, "", "corridor evidence", 32)), systemIds);
  };
  const again: EvidenceKeys["again"] = async (persons) => {
    const name = persons.join(" ");
    const known = sealers.get(name);
    const sealer = known ?? (await load(persons));
    if (known === undefined && sealer !== undefined) sealers.set(name, sealer, plusMs(systemClock.now(), cachedMs));
    return { persons, sealer };
  };
  return {
    again,
    async of(payment) {
      const { tenant } = payment;
      const ids = await Promise.all(meansOf(payment).map((means) => personOf(keys, tenant, means)));
      return again(ids.map((id) => `${tenant}/${id}`));
    },
    opener: load,
  };
}
