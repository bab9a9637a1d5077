import { demand } from "../errors";
import type { Range } from "../query/bounds";
import { type Access, everything, type Plan } from "../query/planner";
import { keyAfter } from "../values/keys";
import type { Collection } from "./catalog";
import { type Database, noDocument } from "./database";
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
 * left out of the index and appended after it, so their order is not the plan's: `differing` shows whether there are any.
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
  const mayRepeat =
    plan.length > 1 || plan.some(({ index, ranges }) => index?.isMultikey === true || ranges.length > 1);
  const seen = new Set<string>();
  for (const access of plan) {
    for (const range of access.isReverse ? access.ranges.toReversed() : access.ranges) {
      for (const found of readRange(database, collection, access, range, limits)) {
        if (differing.has(found.key) || seen.has(found.key)) continue;
        if (mayRepeat) seen.add(found.key);
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
  const limits = { isOverdue: () => false, expected: Number.POSITIVE_INFINITY };
  return readRange(database, collection, { index: undefined, isReverse: false }, everything, limits);
}

type Way = Pick<Access, "index" | "isReverse">;

function* readRange(
  database: Database,
  collection: Collection,
  way: Way,
  range: Range,
  { isOverdue, expected }: ScanLimits,
): Generator<Found> {
  let size = expected > largestPage ? firstPage : Math.max(expected, smallestPage);
  const nextPage = way.index === undefined ? documentPages : entryPages;
  const read = nextPage(database, collection, way, range);
  for (;;) {
    const page = read(size);
    for (const { key, bytes } of page) yield { key: keyText(key), bytes };
    if (page.length < size) return;
    demand(!isOverdue(), "MaxTimeMSExpired", "operation exceeded time limit");
    const bytes = page.reduce((sum, found) => sum + found.bytes.length, 0);
    size = Math.max(1, Math.min(size * 2, largestPage, Math.floor((pageBytes * page.length) / bytes)));
  }
}

/** Keeps its own place: each call gives the next page. */
type PageReader = (size: number) => { key: Buffer; bytes: Uint8Array }[];

const zero = Buffer.alloc(1);

function documentPages(database: Database, collection: Collection, { isReverse }: Way, range: Range): PageReader {
  let { lower, upper } = range;
  // One whole `_id`: no other key starts with its bytes.
  if (keyAfter(lower).equals(upper)) return () => oneDocument(database, collection, lower);
  return (size) => {
    const rows = database.documents(collection.id, lower, upper, isReverse, size);
    const last = rows.at(-1);
    if (last !== undefined && isReverse) upper = last.key;
    if (last !== undefined && !isReverse) lower = Buffer.concat([last.key, zero]);
    return rows;
  };
}

function oneDocument(database: Database, { id }: Collection, key: Buffer): ReturnType<PageReader> {
  const bytes = database.getDocument(id, key);
  return bytes === undefined ? [] : [{ key, bytes }];
}

function entryPages(database: Database, _collection: Collection, { index, isReverse }: Way, range: Range): PageReader {
  const [from, bound] = isReverse ? [range.upper, range.lower] : [range.lower, range.upper];
  let start = { entry: from, document: noDocument };
  return (size) => {
    const rows = database.entries(index?.id ?? 0, isReverse, start, bound, size);
    start = rows.at(-1) ?? start;
    return rows;
  };
}
