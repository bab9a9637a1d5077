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
  seal: string;
}

/** Heads of all lines of an account that have rows. */
export const headsOf = ({ id, lines }: Account): Head[] =>
  lineNames.flatMap((line) => {
    const { seq, head } = lines[line];
    return seq === 0 ? [] : [{ account: id, line, seq, hash: head }];
  });

/** Computes the seal of a checkpoint. `previous` is the seal of the one before it, empty for the first. */
export function sealOf(key: KeyObject, previous: string, { number, at, heads }: Omit<Checkpoint, "seal">): string {
  const facts = heads.map(({ account, line, seq, hash }) => [account, line, seq, hash]);
  return createHmac("sha256", key)
    .update(JSON.stringify([previous, number, at.getTime(), facts]))
    .digest("base64url");
}
