import { csvOf } from "./csv.ts";
import { Usage } from "./failures.ts";

/** Format of an answer; only lists can be lines of JSON, or a table for a spreadsheet. */
export type Format = "text" | "json" | "jsonl" | "csv";

/** The output of a command: its answer goes to one stream, everything else to the other. */
export interface Output {
  /** True if a program reads the output. */
  readonly isJson: boolean;
  readonly format: Format;
  /** Writes an answer in its format; for people as a table or a list of its members. */
  show(value: unknown, columns?: readonly string[]): void;
  /** Writes one line of the answer. */
  print(line: string): void;
  /** Writes a message for people that is not part of the answer. */
  say(line: string): void;
}

type Row = Readonly<Record<string, unknown>>;
const widest = 40;

export function makeOutput(format: Format, write: (text: string) => void, tell: (text: string) => void): Output {
  const print = (line: string): void => write(`${line}\n`);
  const isJson = format === "json" || format === "jsonl";
  return {
    isJson,
    format,
    print,
    say: (line) => tell(`${line}\n`),
    show(value, columns) {
      if (format === "csv") write(csvOf(itemsOf(value)));
      else if (format === "jsonl") for (const item of itemsOf(value)) print(JSON.stringify(item));
      else print(isJson ? JSON.stringify(value ?? {}, null, 2) : pictureOf(value, columns));
    },
  };
}

/** Renders a list as a table, anything else as its members; of a page, its list. */
function pictureOf(value: unknown, columns?: readonly string[]): string {
  const list = listIn(value);
  if (list !== undefined) return tableOf(list.map(rowOf), columns);
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return value === undefined ? "done" : plainText(value);
  const rows = Object.entries(value).flatMap(([name, member]) => linesOf(name, member));
  if (rows.length === 0) return "done";
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

/** Returns the list in an answer: the answer itself, or that of its page. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (typeof value !== "object" || value === null) return undefined;
  const lists = Object.values(value).filter((member) => Array.isArray(member));
  const isPage = lists.length === 1 && ("next" in value || Object.keys(value).length === 1);
  return isPage ? (lists[0] as readonly unknown[]) : undefined;
}

function itemsOf(value: unknown): readonly unknown[] {
  const list = listIn(value);
  if (list === undefined) throw new Usage("the answer is no list: --jsonl and --csv are for lists");
  return list;
}

const rowOf = (value: unknown): Row => (typeof value === "object" && value !== null ? (value as Row) : { value });

/** Returns the members of an answer, nested ones by their dotted path. */
function linesOf(name: string, value: unknown): [name: string, text: string][] {
  if (isAmount(value)) return [[name, cell(value)]];
  if (Array.isArray(value) && value.some((one) => typeof one === "object")) {
    return value.flatMap((one, at) => linesOf(`${name}.${at}`, one));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[name, cell(value)]];
  return Object.entries(value).flatMap(([inner, member]) => linesOf(`${name}.${inner}`, member));
}

function tableOf(rows: readonly Row[], columns = columnsOf(rows)): string {
  if (rows.length === 0) return "none";
  const cells = rows.map((row) => columns.map((column) => cell(row[column])));
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(columns), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}

/** Returns the members that fit in a cell, in the order of the first row. */
const columnsOf = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.every((row) => typeof row[name] !== "object" || row[name] === null || isAmount(row[name])),
  );

const isAmount = (value: unknown): value is { total: unknown; currency: unknown } =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length === 2 &&
  "total" in value &&
  "currency" in value;

/** Control characters in texts of other parties must not reach a terminal. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  const text = isAmount(value) ? `${String(value.currency)} ${String(value.total)}` : plainText(value);
  const plain = text.replaceAll(/\p{Cc}/gu, "?");
  return plain.length > widest && typeof value === "object" ? `${plain.slice(0, widest - 1)}…` : plain;
}

const plainText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? "-"));
