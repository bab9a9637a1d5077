import { createHmac, type KeyObject } from "node:crypto";
import { type Account, type LineName, lineNames } from "./account";

/** The last row of a line when it was sealed. */
export interface Head {
  account: string;
  line: LineName;
  seq: number;
  hash: string;
}

/**
 * The heads of all lines that changed since the previous checkpoint, under one seal. A writer of the store cannot make
 * the seal, so no line can be rewritten behind a checkpoint; each seal covers the previous one.
 */
export interface Checkpoint {
  /** 1, 2, 3 and so on. */
  number: number;
  at: Date;
  heads: readonly Head[];
  /** Seal of the checkpoint before; empty for the first. */
  previous: string;
  /** Identifies the checkpoint permanently: the next one and the anchors contain it. */
  seal: string;
  /** Proves all of the above. A newer key replaces the cover, and the seal stays. */
  cover: string;
}

/** Heads of all lines of an account that have rows. */
export const headsOf = ({ id, lines }: Account): Head[] =>
  lineNames.flatMap((line) => {
    const { seq, head } = lines[line];
    return seq === 0 ? [] : [{ account: id, line, seq, hash: head }];
  });

type CheckpointFacts = Omit<Checkpoint, "seal" | "cover">;

/** Seals a checkpoint, and covers the seal. */
export function sealCheckpoint(key: KeyObject, facts: CheckpointFacts): Checkpoint {
  const seal = createHmac("sha256", key)
    .update(JSON.stringify(wordsOf(facts)))
    .digest("base64url");
  return { ...facts, seal, cover: coverOf(key, { ...facts, seal }) };
}

export const coverOf = (key: KeyObject, { seal, ...facts }: Omit<Checkpoint, "cover">): string =>
  createHmac("sha256", key)
    .update(JSON.stringify(["cover", seal, ...wordsOf(facts)]))
    .digest("base64url");

const wordsOf = ({ previous, number, at, heads }: CheckpointFacts): unknown[] => [
  previous,
  number,
  at.getTime(),
  heads.map(({ account, line, seq, hash }) => [account, line, seq, hash]),
];
