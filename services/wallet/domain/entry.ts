import { createHmac, hash, type KeyObject } from "node:crypto";
import type { Account, LineName } from "./account";
import type { Content } from "./content";

/** The kinds of entries. */
export type EntryKind =
  | "open"
  | "status"
  | "debit"
  | "credit"
  | "debit-hold"
  | "credit-hold"
  | "confirm"
  | "void"
  | "expire"
  | "transfer"
  | "transfer-void"
  | "payout"
  | "payout-cancel"
  | "posting"
  | "release"
  | "correction";

/** One change of one line of one account, signed minor units: money that enters is positive. */
export interface Move {
  account: string;
  line: LineName;
  minor: bigint;
}

/** Facts of a receipt. */
export interface ReceiptFacts {
  /** Form that the first caller asked for. */
  form: number;
  /** Asset of the amount. */
  asset: string;
}

/**
 * One entry of the journal. It is written once and never changed: a correction is another entry that names it. The moves
 * on `settled` lines add up to zero in each asset. Its id is unique permanently; that alone makes a
 * request that is sent twice take effect once.
 */
export interface Entry {
  id: string;
  kind: EntryKind;
  tenant: string;
  at: Date;
  /** The id that the caller gave; the payment's id for a payout. */
  externalId: string | undefined;
  /** The caller's text, sealed: row hashes cover it and are checked without its key. The ledger's own text is in clear. */
  description: string | undefined;
  /** The reason of the movement as its source names it: payout, capture, write-off; undefined when it names none. */
  label: string | undefined;
  /** Entries, payments and cases that an operator linked it to; undefined when there are none. */
  links: readonly string[] | undefined;
  /** The event that reported it; undefined when it came from a call. */
  eventId: string | undefined;
  /** The entry that this one ends or reverses. */
  parent: string | undefined;
  /** The payment that the money moved for. */
  paymentId: string | undefined;
  /** When an open hold ends by itself. */
  expiresAt: Date | undefined;
  moves: readonly Move[];
  /** Content of the request; distinguishes a repeat from another request under the same id. */
  content: Content;
  /** The facts that a receipt adds to the rest of the entry; undefined when no caller gets one. */
  receipt: ReceiptFacts | undefined;
  /** Hash of the account's facts (all but its money) if the entry opens or changes the account; else undefined. */
  facts: string | undefined;
  /** Keyed mark over all of the above: no entry can be written without the key. */
  mark: string;
}

/** One row of one line: a move with its place in the line's history. */
export interface Row {
  account: string;
  line: LineName;
  /** 1, 2, 3 and so on within the line. */
  seq: number;
  entry: string;
  minor: bigint;
  /** Sum of the line after this row. */
  after: bigint;
  at: Date;
  /** Seals this row, the entry it belongs to and, through the row before, everything earlier in the line. */
  hash: string;
}

const sha256 = (text: string): string => hash("sha256", text, "base64url");

/**
 * Keyed hash of everything in an entry. It is stored nowhere: access to the store alone is not enough to forge a row of
 * the entry or its mark.
 */
export function entrySeed(key: KeyObject, entry: Omit<Entry, "mark">): string {
  const { id, kind, tenant, at, externalId, description, parent, paymentId, expiresAt } = entry;
  const { label, links, eventId, facts: account, content, receipt } = entry;
  const moves = entry.moves.map(({ account, line, minor }) => [account, line, minor.toString()]);
  const hashes = Object.entries(content.hashes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const facts = [id, kind, tenant, at.getTime(), externalId, description, parent, paymentId, expiresAt?.getTime()];
  const told = [label, links, eventId, account];
  const text = JSON.stringify([
    ...[...facts, ...told].map((fact) => fact ?? null),
    moves,
    content.version,
    hashes,
    receipt?.form ?? null,
    receipt?.asset ?? null,
  ]);
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** The mark that an entry carries. */
export const markOf = (seed: string): string => sha256(`mark ${seed}`);

/** Hash of everything about an account except its money. It reveals a change that no entry made. */
export const factsOf = ({ id, tenant, path, asset, wallet }: Account): string =>
  sha256(JSON.stringify([id, tenant, path, asset, wallet?.status, wallet?.createdAt.getTime(), wallet?.details]));

/** Hash of a row, of the seed of its entry and of the row before. */
export const rowHash = (previous: string, seed: string, row: Omit<Row, "hash">): string =>
  sha256(
    JSON.stringify([
      previous,
      seed,
      row.account,
      row.line,
      row.seq,
      row.entry,
      row.minor.toString(),
      row.after.toString(),
      row.at.getTime(),
    ]),
  );
