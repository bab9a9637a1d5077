import type { Connection } from "mongoose";

/** The keys of one setting by their ids, the newest first. */
export interface RingFacts {
  name: string;
  keyIds: readonly string[];
}

/** A replica and the rings of keys that it has. */
export interface KeyHolder {
  holder: string;
  rings: readonly RingFacts[];
  seenAt: Date;
}

interface HolderRecord {
  _id: string;
  rings: RingFacts[];
  seenAt: Date;
}

/** Records which replica has which keys, as last reported. Real time. */
export interface KeyHolders {
  init(): Promise<void>;
  note(holder: KeyHolder): Promise<void>;
  /** Returns the replicas that have reported since a moment, by name. */
  since(from: Date): Promise<KeyHolder[]>;
  /** Removes a process that ends. */
  forget(holder: string): Promise<void>;
}

/** A process is forgotten this long after its last report. */
const keepSeconds = 3_600;

/** Stores the holders of keys in collection `key_holders`. */
export function makeKeyHolders(connection: Connection): KeyHolders {
  const holders = connection.collection<HolderRecord>("key_holders");
  return {
    async init() {
      await connection.createCollection("key_holders");
      await holders.createIndex({ seenAt: 1 }, { expireAfterSeconds: keepSeconds });
    },
    async note({ holder, rings, seenAt }) {
      const facts = rings.map(({ name, keyIds }) => ({ name, keyIds: [...keyIds] }));
      await holders.updateOne({ _id: holder }, { $set: { rings: facts, seenAt } }, { upsert: true });
    },
    async since(from) {
      const found = await holders
        .find({ seenAt: { $gt: from } })
        .sort({ seenAt: 1 })
        .toArray();
      return found.map(({ _id: holder, rings, seenAt }) => ({ holder, rings, seenAt }));
    },
    async forget(_id) {
      await holders.deleteOne({ _id });
    },
  };
}

/** True when two replicas have the same keys in the same order. */
export const areSameRings = (one: readonly RingFacts[], other: readonly RingFacts[]): boolean =>
  JSON.stringify(one.map(ringWords).toSorted()) === JSON.stringify(other.map(ringWords).toSorted());

const ringWords = ({ name, keyIds }: RingFacts): string => [name, ...keyIds].join(" ");
