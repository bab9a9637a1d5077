import { type Account, availableOf, type Line, type LineName, lineNames } from "./account";
import { type Checkpoint, sealOf } from "./checkpoint";
import { type Entry, entryDigest, type Row, rowHash } from "./entry";

/**
 * What is wrong with a record. `edited`: its content is not what was written; `dropped`: it is missing; `reordered`: it
 * stands in another's place; `unbalanced`: an entry does not add up to zero; `disagrees`: a stored balance is not the sum
 * of its rows; `overdrawn`: a wallet is below zero; `unsealed`: a checkpoint is not under our seal.
 */
export type Fault = "edited" | "dropped" | "reordered" | "unbalanced" | "disagrees" | "overdrawn" | "unsealed";

export interface Finding {
  fault: Fault;
  /** The record, for example `row <account>/settled/12` or `entry <id>`. */
  record: string;
  detail: string;
}

const rowName = (account: string, line: LineName, seq: number): string => `row ${account}/${line}/${seq}`;

/** Follows one line row by row, from its beginning. */
export interface LineWalk {
  next(row: Row, entry: Entry | undefined): void;
  /** After the last row up to the account's own: what the stored line says must be what the rows add up to. */
  finish(): Finding[];
}

export function walkLine(account: Pick<Account, "id">, name: LineName, stored: Line): LineWalk {
  const findings: Finding[] = [];
  let sum = 0n;
  let seq = 0;
  let head = "";
  const find = (fault: Fault, record: string, detail: string): void => {
    findings.push({ fault, record, detail });
  };
  const nameOf = (at: number): string => rowName(account.id, name, at);
  return {
    next(row, entry) {
      if (row.seq > seq + 1) find("dropped", nameOf(seq + 1), `the row after it is number ${row.seq}`);
      else if (row.seq <= seq) find("reordered", nameOf(row.seq), `it follows number ${seq}`);
      const isWhole = row.seq === seq + 1;
      if (entry === undefined) {
        find("dropped", `entry ${row.entry}`, `${nameOf(row.seq)} belongs to it`);
      } else if (isWhole && row.hash !== rowHash(head, entryDigest(entry), withoutHash(row))) {
        find("edited", nameOf(row.seq), `it or its entry ${row.entry} is not as it was written`);
      } else if (isWhole && row.after !== sum + row.minor) {
        find("disagrees", nameOf(row.seq), `it says ${row.after} after ${sum} and ${row.minor}`);
      }
      seq = row.seq;
      sum = row.after;
      head = row.hash;
    },
    finish() {
      if (seq < stored.seq) find("dropped", nameOf(seq + 1), `the account has ${stored.seq} rows`);
      else if (sum !== stored.minor || head !== stored.head) {
        find("disagrees", `account ${account.id}`, `${name} is stored as ${stored.minor}, its rows give ${sum}`);
      }
      return findings;
    },
  };
}

const withoutHash = ({ hash: _hash, ...row }: Row): Omit<Row, "hash"> => row;

/** The first law, and the accounts that an entry names. */
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

/** No wallet is below zero in anything. */
export function checkFloor(account: Account): Finding[] {
  const { debitHolds, creditHolds } = account.lines;
  const lowest = [availableOf(account), debitHolds.minor, creditHolds.minor].find((minor) => minor < 0n);
  if (account.wallet === undefined || lowest === undefined) return [];
  return [{ fault: "overdrawn", record: `account ${account.id}`, detail: `it is at ${lowest}` }];
}

/** Whether a checkpoint follows the one before and is under our seal. */
export function checkSeal(key: Buffer, previous: Checkpoint | undefined, checkpoint: Checkpoint): Finding[] {
  const expected = (previous?.number ?? 0) + 1;
  const record = `checkpoint ${checkpoint.number}`;
  if (checkpoint.number !== expected) {
    return [{ fault: "dropped", record: `checkpoint ${expected}`, detail: `the next one is ${checkpoint.number}` }];
  }
  if (checkpoint.seal === sealOf(key, previous?.seal ?? "", checkpoint)) return [];
  return [{ fault: "unsealed", record, detail: "its seal is not ours, or its content is not what was sealed" }];
}

/** Whether the rows that a checkpoint has sealed are still what they were. */
export const checkHeads = ({ number, heads }: Checkpoint, hashes: ReadonlyMap<string, string>): Finding[] =>
  heads.flatMap(({ account, line, seq, hash }): Finding[] => {
    const present = hashes.get(`${account}/${line}/${seq}`);
    if (present === hash) return [];
    const fault = present === undefined ? "dropped" : "edited";
    return [{ fault, record: rowName(account, line, seq), detail: `checkpoint ${number} has sealed another` }];
  });

/** Moves of an entry by line; as many rows must be there. */
export const linesOf = ({ moves }: Entry): string[] => moves.map(({ account, line }) => `${account}/${line}`);

/** Lines that have fewer rows than the journal has moves. */
export function checkCounts(account: Account, moves: ReadonlyMap<string, number>): Finding[] {
  return lineNames.flatMap((line): Finding[] => {
    const wanted = moves.get(`${account.id}/${line}`) ?? 0;
    const { seq } = account.lines[line];
    if (seq >= wanted) return [];
    const record = rowName(account.id, line, seq + 1);
    return [{ fault: "dropped", record, detail: `the journal has ${wanted} moves on this line` }];
  });
}
