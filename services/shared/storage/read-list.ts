import { beginningOfTime } from "../kernel/clock";
import type { ListPlace } from "../kernel/list-cursor";

/** Which part of a list is asked for. */
export interface ListPage {
  after: ListPlace | undefined;
  limit: number;
}

/** A page of a list. */
export interface ListRows<Row> {
  rows: Row[];
  /** Where the page ended while there may be more. */
  next: ListPlace | undefined;
}

/** Entries of an index that are read at most for each row that a page may show, with the one behind the page and the row itself. */
const readsPerRow = 20;

/** What a page of a list reads at most where it has to look for what it shows. */
export const mostOf = ({ limit }: Pick<ListPage, "limit">): number => (readsPerRow - 2) * limit;

/**
 * What follows a place in the order of a time, the newest first, and then of the ids. Both bounds are of the time itself, so that any
 * planner begins behind the place and not at the newest.
 */
export function behindPlace(
  field: string,
  { after }: ListPage,
  { from, until }: { from?: Date | undefined; until?: Date | undefined } = {},
): Record<string, unknown> {
  const bounds = {
    ...(from === undefined ? { $gt: beginningOfTime } : { $gte: from }),
    ...(until === undefined ? {} : { $lt: until }),
    ...(after === undefined ? {} : { $lte: after.createdAt }),
  };
  if (after === undefined) return { [field]: bounds };
  return { [field]: bounds, $or: [{ [field]: { $lt: after.createdAt } }, { _id: { $lt: after.id } }] };
}

/**
 * Reads records, which come in the order of their list, until the page is full or has read enough. A page that has read enough is
 * short, or empty, and still says where to go on.
 */
export async function readPage<Row>(
  records: AsyncIterable<Row>,
  { limit, most = limit }: { limit: number; most?: number },
  placeOf: (row: Row) => ListPlace,
  isWanted: (row: Row) => boolean = () => true,
): Promise<ListRows<Row>> {
  const rows: Row[] = [];
  let last: ListPlace | undefined;
  let read = 0;
  for await (const row of records) {
    if (rows.length === limit || read === most) return { rows, next: last };
    read += 1;
    last = placeOf(row);
    if (isWanted(row)) rows.push(row);
  }
  return { rows, next: undefined };
}
