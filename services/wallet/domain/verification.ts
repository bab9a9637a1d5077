import { type Anchor, isSigned } from "../../shared/crypto/anchor";
import { type Account, availableOf, type Line, type LineName, lineNames, platformAccount } from "./account";
import type { Checkpoint } from "./checkpoint";
import { type Entry, factsOf, type Row, rowHash } from "./entry";
import { isCovered, type LedgerKeys, seedOf } from "./ledger-keys";

/**
 * What is wrong with a record. `edited`: its content is not what was written; `dropped`: it is missing; `reordered`: it is in another
 * record's place; `unbalanced`: an entry does not add up to zero; `disagrees`: a stored balance is not the sum of its rows; `overdrawn`:
 * a wallet is below zero; `unsealed`: a checkpoint, or an anchor outside of the store, does not have our seal; `forged`: an entry was
 * written without our key; `rolled back`: the store lacks what an anchor outside of it proves that it once contained.
 */
export const faults = [
  "edited",
  "dropped",
  "reordered",
  "unbalanced",
  "disagrees",
  "overdrawn",
  "unsealed",
  "forged",
  "rolled back",
] as const;
export type Fault = (typeof faults)[number];

export interface Finding {
  fault: Fault;
  /** The record, for example `row <account>/settled/12` or `entry <id>`. */
  record: string;
  detail: string;
}

const rowName = (account: string, line: LineName, seq: number): string => `row ${account}/${line}/${seq}`;

/** Checks one line row by row, from its beginning. */
export interface LineWalk {
  next(row: Row, entry: Entry): void;
  /** Called after the last row: the stored line must equal the sum of its rows. */
  finish(): Finding[];
}

export function walkLine(keys: LedgerKeys, account: Account, name: LineName, stored: Line): LineWalk {
  const findings: Finding[] = [];
  let sum = 0n;
  let seq = 0;
  let head = "";
  let facts: string | undefined;
  const find = (fault: Fault, record: string, detail: string): void => {
    findings.push({ fault, record, detail });
  };
  const nameOf = (at: number): string => rowName(account.id, name, at);
  return {
    next(row, entry) {
      if (row.seq > seq + 1) find("dropped", nameOf(seq + 1), `the row after it is number ${row.seq}`);
      else if (row.seq <= seq) find("reordered", nameOf(row.seq), `it follows number ${seq}`);
      const isWhole = row.seq === seq + 1;
      if (isWhole && !isAsWritten(keys, head, entry, row)) {
        find("edited", nameOf(row.seq), `it or its entry ${row.entry} is not as it was written`);
      } else if (isWhole && row.after !== sum + row.minor) {
        find("disagrees", nameOf(row.seq), `it says ${row.after} after ${sum} and ${row.minor}`);
      }
      facts = entry.facts;
      seq = row.seq;
      sum = row.after;
      head = row.hash;
    },
    finish() {
      if (seq < stored.seq) find("dropped", nameOf(seq + 1), `the account has ${stored.seq} rows`);
      else if (sum !== stored.minor || head !== stored.head) {
        find("disagrees", `account ${account.id}`, `${name} is stored as ${stored.minor}, its rows give ${sum}`);
      } else if (name === "status" && isOther(account, facts)) {
        find("edited", `account ${account.id}`, "its facts are not those that its entries gave it");
      }
      return findings;
    },
  };
}

/** True when the row's hash follows from the previous hash, the entry and the row. */
function isAsWritten(keys: LedgerKeys, head: string, entry: Entry, row: Row): boolean {
  const seed = seedOf(keys, entry);
  return seed !== undefined && row.hash === rowHash(head, seed, withoutHash(row));
}

/** True when the account's facts differ from those in its last entry, or do not match its own id. */
function isOther(account: Account, facts: string | undefined): boolean {
  if (account.wallet !== undefined) return facts !== factsOf(account);
  const { path, asset, tenant, id } = account;
  const shard = id.slice(id.lastIndexOf("/") + 1);
  const expected = platformAccount(path, asset, Number.parseInt(shard, 10));
  return facts !== undefined || expected.id !== id || expected.tenant !== tenant;
}

/** Checks that an entry was written with a key of ours and not changed since. */
export function checkMark(keys: LedgerKeys, entry: Entry): Finding[] {
  if (seedOf(keys, entry) !== undefined) return [];
  return [{ fault: "forged", record: `entry ${entry.id}`, detail: "its mark is not ours, or it was changed since" }];
}

/** Checks that an anchor has our signature and names the checkpoint that was sealed. */
export function checkAnchor(keys: LedgerKeys, anchor: Anchor, seal: string | undefined): Finding[] {
  const { number } = anchor;
  if (!isOurs(keys, anchor)) {
    return [{ fault: "unsealed", record: `anchor ${number}`, detail: "its signature is not ours" }];
  }
  if (seal === anchor.seal) return [];
  const what = seal === undefined ? "is missing" : "is another";
  return [
    {
      fault: "rolled back",
      record: `checkpoint ${number}`,
      detail: `outside of the store it was anchored; it ${what}`,
    },
  ];
}

/** True when one of our keys has signed an anchor. */
export const isOurs = (keys: LedgerKeys, anchor: Anchor): boolean => keys.some(({ key }) => isSigned(key, anchor));

/** Checks that an open hold with an expiry has the stored expiry by which it will be found. */
export const checkExpiry = ({ id, expiresAt }: Entry, due: Date | undefined): Finding[] =>
  expiresAt === undefined || due?.getTime() === expiresAt.getTime()
    ? []
    : [{ fault: "dropped", record: `expiry of ${id}`, detail: `the hold ends at ${expiresAt.toISOString()}` }];

const withoutHash = ({ hash: _hash, ...row }: Row): Omit<Row, "hash"> => row;

/** Checks that an entry balances and that the accounts it names exist. */
export function checkEntry({ id, moves }: Entry, assetOf: (account: string) => string | undefined): Finding[] {
  const sums = new Map<string, bigint>();
  const findings: Finding[] = [];
  for (const { account, line, minor } of moves) {
    const asset = assetOf(account);
    if (asset === undefined) {
      findings.push({ fault: "dropped", record: `account ${account}`, detail: `the entry ${id} moves it` });
    } else if (line === "settled") sums.set(asset, (sums.get(asset) ?? 0n) + minor);
  }
  for (const [asset, sum] of sums) {
    if (findings.length === 0 && sum !== 0n) {
      findings.push({ fault: "unbalanced", record: `entry ${id}`, detail: `its moves add up to ${sum} ${asset}` });
    }
  }
  return findings;
}

/** Checks that a wallet is not below zero on any line. */
export function checkFloor(account: Account): Finding[] {
  const { debitHolds, creditHolds } = account.lines;
  const lowest = [availableOf(account), debitHolds.minor, creditHolds.minor].find((minor) => minor < 0n);
  if (account.wallet === undefined || lowest === undefined) return [];
  return [{ fault: "overdrawn", record: `account ${account.id}`, detail: `it is at ${lowest}` }];
}

/** Checks that a checkpoint follows the previous one and is covered by a key of ours. */
export function checkSeal(keys: LedgerKeys, previous: Checkpoint | undefined, checkpoint: Checkpoint): Finding[] {
  const expected = (previous?.number ?? 0) + 1;
  const record = `checkpoint ${checkpoint.number}`;
  if (checkpoint.number !== expected) {
    return [{ fault: "dropped", record: `checkpoint ${expected}`, detail: `the next one is ${checkpoint.number}` }];
  }
  if (checkpoint.previous === (previous?.seal ?? "") && isCovered(keys, checkpoint)) return [];
  return [{ fault: "unsealed", record, detail: "its seal is not ours, or its content is not what was sealed" }];
}

/** Checks that the rows that a checkpoint sealed are unchanged. */
export const checkHeads = ({ number, heads }: Checkpoint, hashes: ReadonlyMap<string, string>): Finding[] =>
  heads.flatMap(({ account, line, seq, hash }): Finding[] => {
    const present = hashes.get(`${account}/${line}/${seq}`);
    if (present === hash) return [];
    const fault = present === undefined ? "dropped" : "edited";
    return [{ fault, record: rowName(account, line, seq), detail: `checkpoint ${number} has sealed another` }];
  });

/** Lines of an entry's moves; each move must have a row. */
export const linesOf = ({ moves }: Entry): string[] => moves.map(({ account, line }) => `${account}/${line}`);

/** Finds lines that have fewer rows than the journal has moves. */
export function checkCounts(account: Account, moves: ReadonlyMap<string, number>): Finding[] {
  return lineNames.flatMap((line): Finding[] => {
    const wanted = moves.get(`${account.id}/${line}`) ?? 0;
    const { seq } = account.lines[line];
    if (seq >= wanted) return [];
    const record = rowName(account.id, line, seq + 1);
    return [{ fault: "dropped", record, detail: `the journal has ${wanted} moves on this line` }];
  });
}
