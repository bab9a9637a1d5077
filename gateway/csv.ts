import type { IncomingHttpHeaders } from "node:http";
import { DomainError } from "../services/shared/kernel/errors";
import type { MadeElsewhere } from "./contract/define-route";
import { partByPart } from "./part-by-part";

/** Columns by name, each with a function that returns its value for an item. */
export type Columns<Item> = readonly (readonly [name: string, cell: (item: Item) => string | undefined])[];

/** A page of a list. */
interface CsvPage<Item> {
  items: readonly Item[];
  next: string | undefined;
}

/** True for a caller that prefers comma-separated text to JSON. */
export function wantsCsv({ accept = "" }: IncomingHttpHeaders): boolean {
  const types = accept.split(",").map((type) => type.split(";")[0]?.trim().toLowerCase());
  return types.find((type) => type === "text/csv" || type === "application/json" || type === "*/*") === "text/csv";
}

/** Characters that a spreadsheet takes for the start of a formula, also after spaces and in full-width form. */
const runs = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;

/** Renders a cell by RFC 4180; one that a spreadsheet would run as a formula gets a leading apostrophe. */
export function csvCell(text: string): string {
  const safe = runs.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const line = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;
const byteOrderMark = "\uFEFF";

/** Items on one page of a list as text: large enough that a reader needs few pages. */
const csvPage = 200;
/** Most lists that this process sends one holder of credentials as text at the same time. */
const mostAtOnce = 2;

/** A requested list, in the form that the caller's `Accept` asks for. */
interface AskedList<Item, Found extends CsvPage<Item>, Page> {
  /** The holder that the list counts against while it is sent. */
  holder: string;
  headers: IncomingHttpHeaders;
  /** Name of the file. */
  name: string;
  columns: Columns<Item>;
  /** Page size that a caller asks for if it does not want the whole list. */
  query: { after?: string | undefined; limit: number };
  read(page: { after: string | undefined; limit: number }): Promise<Found>;
  render(page: Found): Page;
}

/** Answers a rendered page of a list, or the whole list from there on as text. */
export type SendList = <Item, Found extends CsvPage<Item>, Page>(
  asked: AskedList<Item, Found, Page>,
) => Promise<Page | MadeElsewhere>;

/** Answers lists in both forms. One instance serves a whole route table: all lists being sent count together. */
export function makeSendList(sendCsv: SendCsv = makeSendCsv()): SendList {
  return async ({ holder, headers, name, columns, query, read, render }) =>
    wantsCsv(headers)
      ? sendCsv(holder, name, columns, (after = query.after) => read({ after, limit: csvPage }))
      : render(await read({ after: query.after, limit: query.limit }));
}

/** Makes columns from the members that items have in answers, so that both forms of a list agree. */
export const columnsOf = (names: readonly string[]): Columns<object> =>
  names.map((name) => [name, (item) => cellText(Reflect.get(item, name))]);

function cellText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (value instanceof Date) return value.toISOString();
  // Exact numbers are written with their own digits.
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Answers a list as text. */
export type SendCsv = <Item>(
  holder: string,
  name: string,
  columns: Columns<Item>,
  read: (after: string | undefined) => Promise<CsvPage<Item>>,
) => Promise<MadeElsewhere>;

/**
 * Answers lists as text, made page by page while it is sent, so that a list takes no more memory than a page. The first page is read before
 * anything is answered; if a later one fails the connection is aborted. A list being sent takes no place among the requests of its holder:
 * throws RATE_LIMITED for a holder who is already being sent several lists.
 */
export function makeSendCsv(): SendCsv {
  const sending = new Map<string, number>();
  const change = (holder: string, by: number): void => {
    const now = (sending.get(holder) ?? 0) + by;
    if (now === 0) sending.delete(holder);
    else sending.set(holder, now);
  };
  return async (holder, name, columns, read) => {
    if ((sending.get(holder) ?? 0) >= mostAtOnce) {
      const details = { limitInFlight: mostAtOnce, retryAfterSeconds: 1 };
      throw new DomainError("RATE_LIMITED", "too many lists as text at once", { details });
    }
    const lines = csvOf(columns, partByPart(read), (by) => change(holder, by));
    // The list counts from here on, until it has been read or abandoned.
    const body = { content: resumed(lines, await lines.next()) };
    const headers = {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
      vary: "accept",
    };
    return { madeElsewhere: { status: 200, headers, body } };
  };
}

async function* csvOf<Item>(
  columns: Columns<Item>,
  read: (after: string | undefined) => Promise<CsvPage<Item>>,
  count: (by: 1 | -1) => void,
): AsyncGenerator<Buffer, void> {
  count(1);
  try {
    let page = await read(undefined);
    yield Buffer.from(byteOrderMark + line(columns.map(([title]) => title)));
    for (;;) {
      const rows = page.items.map((item) => line(columns.map(([, cell]) => cell(item) ?? "")));
      if (rows.length > 0) yield Buffer.from(rows.join(""));
      if (page.next === undefined) return;
      page = await read(page.next);
    }
  } finally {
    count(-1);
  }
}

/** Returns an iteration that has begun, with its first piece put back. A consumer that wants no more ends it with `return`. */
function resumed(lines: AsyncGenerator<Buffer, void>, begun: IteratorResult<Buffer, void>): AsyncIterable<Buffer> {
  let first: IteratorResult<Buffer, void> | undefined = begun;
  const iterator: AsyncIterator<Buffer, void> = {
    async next() {
      const result = first ?? (await lines.next());
      first = undefined;
      return result;
    },
    return: () => lines.return(),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
