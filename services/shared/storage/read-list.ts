import { beginningOfTime } from "../kernel/clock";
import type { ListPlace } from "../kernel/list-cursor";

/** The requested part of a list. */
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

/** The most index entries that are read for each row that a page may show, including the one after the page and the row itself. */
const readsPerRow = 20;

/** Returns the most entries that a page of a list reads where it has to search for what it shows. */
export const mostOf = ({ limit }: Pick<ListPage, "limit">): number => (readsPerRow - 2) * limit;

/**
 * Selects what follows a place in a list that is ordered by time, the newest first, and then by id. Both bounds are on the time itself,
 * so that any query planner begins after the place and not at the newest.
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
 * Reads records, which come in the order of their list, until the page is full or has read its share. A page that has read its share is
 * short, or empty, and still says where to continue.
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
