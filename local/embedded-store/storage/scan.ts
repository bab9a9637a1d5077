import { CommandError } from "../errors";
import type { Range } from "../query/bounds";
import { type Access, everything, type Plan } from "../query/planner";
import type { Collection } from "./catalog";
import type { Database } from "./database";
import { keyText, type Transaction } from "./transaction";
import type { Transactions } from "./transactions";

export interface Found {
  key: string;
  bytes: Uint8Array;
}

/** A limited query reads one page of that size; otherwise pages grow, so that a scan does not make many calls. */
const smallestPage = 4;
const firstPage = 16;
const largestPage = 512;
/** Large documents come in smaller pages. */
const pageBytes = 2 * 1024 * 1024;

export interface ScanLimits {
  /** True once the command has had its time. */
  isOverdue(): boolean;
  /** How many documents the reader is likely to want. */
  expected: number;
}

/**
 * The documents that a plan reaches, as the transaction sees them, each once. Rows that this view sees differently are
 * left out of the index and appended after it, so their order is not the plan's: `differing` tells whether there are any.
 */
export function* scan(
  database: Database,
  transactions: Transactions,
  transaction: Transaction,
  collection: Collection,
  plan: Plan,
  limits: ScanLimits,
): Generator<Found> {
  const differing = transactions.differing(transaction, collection);
  const seen = plan.length > 1 || plan.some(hasRepeats) ? new Set<string>() : undefined;
  for (const access of plan) {
    const ranges = access.isReverse ? [...access.ranges].reverse() : access.ranges;
    for (const range of ranges) {
      for (const found of readRange(database, collection, access, range, limits)) {
        if (differing.has(found.key) || seen?.has(found.key) === true) continue;
        seen?.add(found.key);
        yield found;
      }
    }
  }
  for (const key of differing) {
    const bytes = transactions.read(transaction, collection, key);
    if (bytes !== undefined) yield { key, bytes };
  }
}

/** Every committed document of a collection. */
export function allDocuments(database: Database, collection: Collection): Generator<Found> {
  const access = { index: undefined, isReverse: false };
  return readRange(database, collection, access, everything, {
    isOverdue: () => false,
    expected: Number.POSITIVE_INFINITY,
  });
}

const hasRepeats = ({ index, ranges }: Access): boolean => index?.isMultikey === true || ranges.length > 1;

function* readRange(
  database: Database,
  collection: Collection,
  access: Pick<Access, "index" | "isReverse">,
  range: Range,
  limits: ScanLimits,
): Generator<Found> {
  let size = limits.expected > largestPage ? firstPage : Math.max(limits.expected, smallestPage);
  const nextPage = pageReader(database, collection, access, range);
  for (;;) {
    const page = nextPage(size);
    for (const found of page) yield found;
    if (page.length < size) return;
    if (limits.isOverdue()) throw new CommandError("MaxTimeMSExpired", "operation exceeded time limit");
    const bytes = page.reduce((sum, found) => sum + found.bytes.length, 0);
    size = Math.max(1, Math.min(size * 2, largestPage, Math.floor((pageBytes * page.length) / bytes)));
  }
}

/** Keeps its own place: each call gives the next page. */
type PageReader = (size: number) => Found[];

function pageReader(
  database: Database,
  collection: Collection,
  access: Pick<Access, "index" | "isReverse">,
  range: Range,
): PageReader {
  return access.index === undefined
    ? documentPages(database, collection, range, access.isReverse)
    : entryPages(database, { collection: collection.id, index: access.index.id, isReverse: access.isReverse }, range);
}

const zero = Buffer.alloc(1);

function documentPages(database: Database, collection: Collection, range: Range, isReverse: boolean): PageReader {
  let { lower, upper } = range;
  return (size) => {
    const rows = database.documents(collection.id, lower, upper, isReverse, size);
    const last = rows.at(-1);
    if (last !== undefined && isReverse) upper = last.key;
    if (last !== undefined && !isReverse) lower = Buffer.concat([last.key, zero]);
    return rows.map(({ key, bytes }) => ({ key: keyText(key), bytes }));
  };
}

function entryPages(database: Database, place: Parameters<Database["entries"]>[0], range: Range): PageReader {
  let start: { entry: Buffer; key?: Buffer } = { entry: place.isReverse ? range.upper : range.lower };
  const bound = place.isReverse ? range.lower : range.upper;
  return (size) => {
    const rows = database.entries(place, start, bound, size);
    const last = rows.at(-1);
    if (last !== undefined) start = { entry: last.entry, key: last.key };
    return rows.map(({ key, bytes }) => ({ key: keyText(key), bytes }));
  };
}
