type Cells = ReadonlyMap<string, string>;

/** Renders items as a table for spreadsheets (RFC 4180): a column for each member, nested members by their dotted path. */
export function csvOf(items: readonly unknown[]): string {
  const rows = items.map((item) => new Map(cellsOf("", item)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const line = (texts: readonly string[]): string => `${texts.map(quote).join(",")}\r\n`;
  const lineOf = (row: Cells): string => line(columns.map((column) => row.get(column) ?? ""));
  return columns.length === 0 ? "" : line(columns) + rows.map(lineOf).join("");
}

function cellsOf(path: string, value: unknown): [column: string, text: string][] {
  if (value === null || value === undefined) return path === "" ? [] : [[path, ""]];
  // Lists within a row stay JSON: their members are no columns of this table.
  if (Array.isArray(value)) return [[path === "" ? "value" : path, JSON.stringify(value)]];
  if (typeof value !== "object") return [[path === "" ? "value" : path, safeText(value)]];
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`);
  return Object.entries(value).flatMap(([name, member]) => cellsOf(below(name), member));
}

/** A text that a spreadsheet would run as a formula gets a leading apostrophe; numbers stay unchanged. */
function safeText(value: unknown): string {
  const text = String(value);
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
