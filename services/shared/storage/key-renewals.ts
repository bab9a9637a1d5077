import type { Connection } from "mongoose";
import { systemClock } from "../kernel/clock";
import type { RingFacts } from "./key-holders";
import { emptyTally, type KeyedRecord, type KeyTally, type KeyUse } from "./key-use";
import { isDuplicateKey } from "./mongo";

/** The progress of a renewal. */
export interface KeyRenewal {
  id: string;
  askedAt: Date;
  doneAt: Date | undefined;
  /** The rings under which everything is to be put. */
  rings: readonly RingFacts[];
  /** What it has found, by use. */
  tallies: readonly (KeyTally & Pick<KeyUse, "ring" | "collection">)[];
  /** The use that it has reached, and the record that was renewed last. */
  place: RenewalPlace;
}

interface RenewalPlace {
  use: number;
  after: KeyedRecord["_id"] | undefined;
}

interface RenewalRecord {
  _id: string;
  askedAt: Date;
  doneAt: Date | null;
  rings: RingFacts[];
  tallies: (KeyTally & Pick<KeyUse, "ring" | "collection">)[];
  use: number;
  after: KeyedRecord["_id"] | null;
}

/** Renewals of keys that were requested, and their progress. */
export interface KeyRenewals {
  init(): Promise<void>;
  find(id: string): Promise<KeyRenewal | undefined>;
  /** Returns the renewal that was requested last. */
  latest(): Promise<KeyRenewal | undefined>;
  /** Stores a request; repeating it changes nothing. */
  ask(id: string, rings: readonly RingFacts[], uses: readonly KeyUse[]): Promise<void>;
  /** Advances a renewal; false when another replica has advanced it meanwhile. */
  advance(renewal: KeyRenewal, next: Pick<KeyRenewal, "place" | "tallies" | "doneAt">): Promise<boolean>;
}

const toRenewal = ({ _id, askedAt, doneAt, rings, tallies, use, after }: RenewalRecord): KeyRenewal => ({
  id: _id,
  askedAt,
  doneAt: doneAt ?? undefined,
  rings,
  tallies,
  place: { use, after: after ?? undefined },
});

const plain = ({ name, keyIds }: RingFacts): RingFacts => ({ name, keyIds: [...keyIds] });

/** Stores renewals in collection `key_renewals`. */
export function makeKeyRenewals(connection: Connection): KeyRenewals {
  const renewals = connection.collection<RenewalRecord>("key_renewals");
  return {
    async init() {
      await connection.createCollection("key_renewals");
      await renewals.createIndex({ askedAt: 1 });
    },
    async find(id) {
      const record = await renewals.findOne({ _id: id });
      return record === null ? undefined : toRenewal(record);
    },
    async latest() {
      const record = await renewals.findOne({}, { sort: { askedAt: -1 } });
      return record === null ? undefined : toRenewal(record);
    },
    async ask(id, rings, uses) {
      const tallies = uses.map(({ ring, collection }) => ({ ring, collection, ...emptyTally() }));
      const begin = { askedAt: systemClock.now(), doneAt: null, rings: rings.map(plain), tallies, use: 0, after: null };
      try {
        await renewals.insertOne({ _id: id, ...begin });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async advance({ id, place }, { place: next, tallies, doneAt }) {
      const unmoved = { _id: id, use: place.use, after: place.after ?? null, doneAt: null };
      const moved = { use: next.use, after: next.after ?? null, tallies: [...tallies], doneAt: doneAt ?? null };
      const { matchedCount } = await renewals.updateOne(unmoved, { $set: moved });
      return matchedCount === 1;
    },
  };
}
