import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import type { Account } from "../domain/account";
import type { Entry, Row } from "../domain/entry";
import type { AccountStore } from "../store/account-store";
import type { EntryStore } from "../store/entry-store";
import type { BookedRow, RowStore } from "../store/row-store";

export interface ListEntriesDeps {
  accounts: Pick<AccountStore, "ofPath">;
  rows: Pick<RowStore, "range" | "lastBefore">;
  entries: Pick<EntryStore, "ofPayment">;
}

/** A place in a list of entries; the next page begins after it. */
export interface EntryPlace {
  atMs: number;
  /** Account of the row; the entry's id in the list of a payment. */
  key: string;
  seq: number;
}

export interface EntryQuery {
  of: { path: string; asset: string | undefined } | { paymentId: string };
  /** Inclusive. */
  from: Date | undefined;
  /** Exclusive. */
  until: Date | undefined;
  after: EntryPlace | undefined;
  limit: number;
}

export interface EntryPage {
  entries: Entry[];
  /** Undefined on the last page. */
  next: EntryPlace | undefined;
}

export type ListEntries = (query: EntryQuery) => Promise<EntryPage>;

/** Returns a page of entries by time. New entries come last, since the time of an account never goes back. */
export const makeListEntries =
  (deps: ListEntriesDeps): ListEntries =>
  (query) =>
    "paymentId" in query.of ? ofPayment(deps, query, query.of.paymentId) : ofAccount(deps, query, query.of);

const compare = (a: EntryPlace, b: EntryPlace): number =>
  a.atMs - b.atMs || (a.key < b.key ? -1 : a.key > b.key ? 1 : a.seq - b.seq);

const isWithin = ({ atMs }: EntryPlace, { from, until }: EntryQuery): boolean =>
  atMs >= (from?.getTime() ?? -Infinity) && atMs < (until?.getTime() ?? Infinity);

async function ofPayment(deps: ListEntriesDeps, query: EntryQuery, paymentId: string): Promise<EntryPage> {
  const { after, limit } = query;
  const found = (await deps.entries.ofPayment(paymentId))
    .map((entry) => ({ entry, place: { atMs: entry.at.getTime(), key: entry.id, seq: 0 } }))
    .filter(({ place }) => isWithin(place, query) && (after === undefined || compare(place, after) > 0))
    .toSorted((a, b) => compare(a.place, b.place));
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)?.place : undefined;
  return { entries: page.map(({ entry }) => entry), next };
}

const placeOf = ({ at, account, seq }: Row): EntryPlace => ({ atMs: at.getTime(), key: account, seq });

/** Merges the rows of all shards by time. An entry with several rows is listed once, at the first of them. */
async function ofAccount(
  deps: ListEntriesDeps,
  query: EntryQuery,
  { path, asset }: { path: string; asset: string | undefined },
): Promise<EntryPage> {
  const { after, limit } = query;
  const shards = (await deps.accounts.ofPath(path)).filter((account) => asset === undefined || account.asset === asset);
  const ids = new Set(shards.map(({ id }) => id));
  const rows = (await Promise.all(shards.map((shard) => rowsAfter(deps, query, shard)))).flat();
  const ordered = rows
    .map((one) => ({ ...one, place: placeOf(one.row) }))
    .toSorted((a, b) => compare(a.place, b.place));
  const page = ordered.slice(0, limit);
  const next = ordered.length > limit ? page.at(-1)?.place : undefined;
  const entries = page.flatMap(({ row, entry, place }) => {
    if (after !== undefined && compare(place, after) <= 0) return [];
    return isFirstRow(row, entry, ids) ? [entry] : [];
  });
  return { entries, next };
}

/** True when the entry has no earlier row on these accounts; on one account an entry has one settled row. */
function isFirstRow(row: Row, { moves }: Entry, ids: ReadonlySet<string>): boolean {
  const accounts = moves.flatMap(({ account, line }) => (line === "settled" && ids.has(account) ? [account] : []));
  return row.account === accounts.toSorted()[0];
}

/** Reads enough rows of a shard after the place to fill a page from it alone. */
async function rowsAfter({ rows }: ListEntriesDeps, query: EntryQuery, { id, lines }: Account): Promise<BookedRow[]> {
  const { from, after, limit } = query;
  const beginning = after === undefined ? from : plusMs(beginningOfTime, after.atMs);
  const last = lines.settled.seq;
  let seq = beginning === undefined ? 0 : ((await rows.lastBefore(id, "settled", beginning))?.seq ?? 0);
  const found: BookedRow[] = [];
  while (seq < last && found.length <= limit) {
    const until = Math.min(seq + limit + 1, last);
    const read = await rows.range(id, "settled", seq, until);
    const wanted = read.filter(({ row }) => isWithin(placeOf(row), query));
    found.push(...wanted.filter(({ row }) => after === undefined || compare(placeOf(row), after) > 0));
    // Rows are in order of time: none after the last instant is wanted.
    if (read.length > 0 && wanted.at(-1) !== read.at(-1)) break;
    seq = until;
  }
  return found;
}
