import type { Connection } from "mongoose";

/** The keys of one setting by their ids, the newest first. */
export interface RingFacts {
  name: string;
  keyIds: readonly string[];
}

/** A replica and the rings that it has. */
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

/** Which replica has which keys, as they were last heard of. Real time. */
export interface KeyHolders {
  init(): Promise<void>;
  note(holder: KeyHolder): Promise<void>;
  /** Those that were heard of after a moment, by name. */
  since(from: Date): Promise<KeyHolder[]>;
  /** A process ends and says so. */
  forget(holder: string): Promise<void>;
}

/** After this long without a word a process is forgotten. */
const keepSeconds = 3_600;

/** Holders of keys in collection `key_holders`. */
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
