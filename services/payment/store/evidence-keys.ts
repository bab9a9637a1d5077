import { hkdfSync } from "node:crypto";
import { makeSealer, type Sealer } from "../../shared/crypto/sealing";
import { makeBoundedCache } from "../../shared/kernel/bounded-cache";
import { plusMs, systemClock } from "../../shared/kernel/clock";
import { systemIds } from "../../shared/kernel/ids";
import type { DataKeys } from "../../shared/storage/data-keys";
import type { Fact } from "../domain/fact";
import { type Means, meansOf } from "../domain/means";
import type { Payment } from "../domain/payment";
import type { ParticipantKeys } from "./participant-keys";

/** The owners of evidence, and the key that seals it. */
export interface EvidenceKey {
  /** Ids of the keys that must all exist to open it; undefined for the payment's own key, which is the tenant's. */
  persons: readonly string[] | undefined;
  /** Undefined once one of the persons was erased: nothing that they left is kept. */
  sealer: Pick<Sealer, "seal"> | undefined;
}

/** Values for what is reported about the collection, and about the payout. */
export type ByLeg<T> = Readonly<Record<Fact["role"], T>>;

/**
 * Keys of the persons of payments. Evidence about a collection belongs to the sender, and evidence about the payout that it pays for to
 * the recipient: each is erased with its own person only. A sender of whom no card and no account is known uses the payment's own key for
 * all evidence, so that an erasure of the recipient leaves the sender's proof of payment.
 */
export interface EvidenceKeys {
  /** Returns the keys that seal new evidence about a payment. */
  of(payment: Legs): Promise<ByLeg<EvidenceKey>>;
  /** Returns the key that seals new evidence, by the ids of a key that was used before. */
  again(persons: readonly string[]): Promise<EvidenceKey>;
  /** Returns what opens sealed evidence; undefined once one of the persons was erased. Looked up each time. */
  opener(persons: readonly string[]): Promise<Opener | undefined>;
  /** Returns the same by leg, for everything that was sealed about a payment. */
  openers(payment: Legs): Promise<ByLeg<Opener | undefined>>;
}

type Legs = Pick<Payment, "tenant" | "pull" | "payout">;
type Opener = Pick<Sealer, "open">;

const cached = 10_000;
const cachedMs = 3_600_000;

/** Returns the id of the key of the person who pays, or is paid, by these means. */
export const personOf = async (keys: Pick<DataKeys, "of">, tenant: string, means: Means): Promise<string> =>
  `means-${(await keys.of(tenant)).index("means", ...means)}`;

export function makeEvidenceKeys(keys: Pick<DataKeys, "of">, people: Pick<ParticipantKeys, "find">): EvidenceKeys {
  // Evidence sealed with a key that was destroyed meanwhile cannot be opened, so a cached key does no harm.
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
  /** Returns undefined for what the payment's own key seals, and for a payout that concerns only the sender. */
  const personsOf = async (payment: Legs): Promise<ByLeg<readonly string[] | undefined>> => {
    const { tenant } = payment;
    const { sender, recipient } = meansOf(payment);
    if (sender === undefined) return { pull: undefined, payout: undefined };
    const idOf = async (means: Means): Promise<string[]> => [`${tenant}/${await personOf(keys, tenant, means)}`];
    return { pull: await idOf(sender), payout: recipient === undefined ? undefined : await idOf(recipient) };
  };
  return {
    again,
    async of(payment) {
      const own = { persons: undefined, sealer: await keys.of(payment.tenant) };
      const persons = await personsOf(payment);
      const pull = persons.pull === undefined ? own : await again(persons.pull);
      return { pull, payout: persons.payout === undefined ? pull : await again(persons.payout) };
    },
    opener: load,
    async openers(payment) {
      const persons = await personsOf(payment);
      const pull = await (persons.pull === undefined ? keys.of(payment.tenant) : load(persons.pull));
      return { pull, payout: persons.payout === undefined ? pull : await load(persons.payout) };
    },
  };
}
