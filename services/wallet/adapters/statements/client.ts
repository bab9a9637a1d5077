import { readFile } from "node:fs/promises";
import { request } from "undici";
import { assetDigits, assetMinor } from "../../../shared/kernel/assets";
import { type Clock, parseInstant, plusMs } from "../../../shared/kernel/clock";
import { DomainError } from "../../../shared/kernel/errors";
import { answerLimits, type JsonLimits, parseJson } from "../../../shared/kernel/json";
import { parseDecimal } from "../../../shared/kernel/money";
import { type LineKind, type StatementLine, signedMinor } from "../../domain/statement";
import type { StatementPage, StatementSource } from "../../ports";
import { parseTokens, tokenOf } from "./tokens";

/** Where the statement of one provider comes from. */
export interface StatementPlace {
  provider: string;
  /** Pages after a cursor, or one CSV file a day. */
  form: "pages" | "files";
  /** Address of the provider's statement. */
  url: string;
  /** File with the tokens that we present. It is read at each call. */
  tokensFile: string;
}

const timeoutMs = 30_000;
const pageLines = 100;
const maxPageBytes = 4 * 1024 * 1024;
/** Bounds of what one run reads, so that a statement without an end does not keep the others waiting. The next run goes on. */
const [mostPages, mostOldPages] = [10_000, 20];
/** A page has more lines than a caller's body may have elements. */
const pageLimits: JsonLimits = { ...answerLimits, arrayLength: 1_000, keys: 20_000 };
const maxRowChars = 16 * 1024;
const dayMs = 86_400_000;
/** The files of this many past days are read again, because lines may come late. */
const readAgainDays = 3;

/** Reads the statement of a provider. Throws when it is malformed: it must never look like an empty one. */
export const makeStatementClient = (
  place: StatementPlace,
  kinds: readonly LineKind[],
  clock: Clock,
): StatementSource => ({
  provider: place.provider,
  read: (cursor) => (place.form === "pages" ? readPages(place, kinds, cursor) : readFiles(place, kinds, cursor, clock)),
});

/** Throws when the pages do not end, or bring nothing new for a long time; pages that were read until then are kept. */
async function* readPages(
  source: StatementPlace,
  kinds: readonly LineKind[],
  begin: string | undefined,
): AsyncIterable<StatementPage> {
  let place = begin ?? "0";
  let [cursor, highest, oldPages] = [place, 0, 0];
  for (let count = 0; count < mostPages && oldPages <= mostOldPages; count += 1) {
    const body = await call(source, `?after=${encodeURIComponent(cursor)}&limit=${pageLines}`);
    const { lines, next, hasMore, provider } = fieldsOf(parseJson(await bounded(body), pageLimits).value);
    if (
      !Array.isArray(lines) ||
      typeof next !== "string" ||
      typeof hasMore !== "boolean" ||
      provider !== source.provider
    ) {
      throw unreadable(source, "a page is not a page of a statement");
    }
    const read = lines.map((line) => lineOf(source, kinds, fieldsOf(line)));
    // An empty page may have omitted lines, so the place stays before it.
    if (read.length > 0) {
      yield { lines: read, place, cursor: next };
      place = next;
    }
    if (!hasMore || next === cursor) return;
    cursor = next;
    const newest = read.reduce((most, { sequence }) => Math.max(most, sequence), 0);
    oldPages = newest > highest ? 0 : oldPages + 1;
    highest = Math.max(highest, newest);
  }
  throw unreadable(source, "its pages do not end");
}

/** Reads the file of each day up to today, starting some days before the one that was read last. */
async function* readFiles(
  place: StatementPlace,
  kinds: readonly LineKind[],
  begin: string | undefined,
  clock: Clock,
): AsyncIterable<StatementPage> {
  const today = clock.now();
  const last = begin === undefined ? today : (parseInstant(begin) ?? today);
  for (let day = plusMs(last, -readAgainDays * dayMs); day <= today; day = plusMs(day, dayMs)) {
    const date = day.toISOString().slice(0, 10);
    let columns: string[] | undefined;
    let lines: StatementLine[] = [];
    for await (const row of wholeRows(place, await call(place, `/files/${date}.csv`))) {
      const cells = row.split(",");
      if (columns === undefined) columns = cells;
      else if (row !== "") lines.push(lineOf(place, kinds, cellsOf(place, columns, cells)));
      if (lines.length >= pageLines) yield { lines: lines.splice(0), place: date, cursor: begin };
    }
    if (columns === undefined) throw unreadable(place, `the file of ${date} is empty`);
    yield { lines, place: date, cursor: date };
    lines = [];
  }
}

/** Yields the complete rows. Throws at the end of a file that ends within a row: the part that is there may be misleading. */
async function* wholeRows(place: StatementPlace, body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for await (const chunk of body) {
    const rows = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = rows.pop() ?? "";
    if (rest.length > maxRowChars) throw unreadable(place, "a row of a file is too long");
    for (const row of rows) yield row.endsWith("\r") ? row.slice(0, -1) : row;
  }
  if (rest + decoder.decode() !== "") throw unreadable(place, "a file ends within a row");
}

function cellsOf(place: StatementPlace, columns: readonly string[], cells: readonly string[]): Fields {
  if (cells.length !== columns.length) throw unreadable(place, "a row has not one cell for each column");
  return Object.fromEntries(columns.map((name, index) => [name, cells[index]]));
}

async function call({ url, tokensFile, provider }: StatementPlace, path: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    const token = tokenOf(parseTokens(await readFile(tokensFile, "utf8")) ?? new Map(), provider);
    if (token === undefined) throw new Error("no token is configured for this provider");
    const headers = { authorization: `Bearer ${token}` };
    const options = { headers, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const { statusCode, body } = await request(`${url}${path}`, options);
    if (statusCode === 200) return body;
    await body.dump();
    throw new Error(`the provider answered with status ${statusCode}`);
  } catch (error) {
    throw new DomainError("UNAVAILABLE", `the statement of ${provider} cannot be read`, { cause: error });
  }
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxPageBytes) throw new Error("a page of a statement is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

const unreadable = ({ provider }: StatementPlace, what: string): DomainError =>
  new DomainError("UNAVAILABLE", `the statement of ${provider} cannot be read: ${what}`);

/** A whole number from 1 on, as a number or its digits alone. */
function numberOf(value: unknown): number | undefined {
  const isDigits = typeof value === "string" && /^[1-9]\d{0,15}$/.test(value);
  const number = isDigits ? Number.parseInt(value, 10) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 1 ? number : undefined;
}

function lineOf(place: StatementPlace, kinds: readonly LineKind[], fields: Fields): StatementLine {
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value === "string" && value !== "" && value.length <= 255) return value;
    throw unreadable(place, `a line has no ${name}`);
  };
  const sequence = numberOf(fields["sequence"]);
  const kind = kinds.find((one) => one === fields["kind"]);
  const asset = text("currency");
  const decimal = parseDecimal(text("amount"));
  const minor = decimal === undefined || assetDigits(asset) === undefined ? undefined : assetMinor(decimal, asset);
  const bookedAt = parseInstant(text("bookedAt"));
  if (sequence === undefined) throw unreadable(place, "a line has no sequence number");
  if (kind === undefined) throw unreadable(place, `line ${sequence} has a kind that this provider does not use`);
  if (minor === undefined) throw unreadable(place, `line ${sequence} has no valid amount in its currency`);
  if (bookedAt === undefined) throw unreadable(place, `line ${sequence} has no time`);
  return {
    sequence,
    lineId: text("lineId"),
    reference: text("reference"),
    movementId: text("movementId"),
    kind,
    asset,
    minor: signedMinor(kind, minor),
    bookedAt,
  };
}
