import { parse } from "csv-parse/sync";

export type CsvRow = Readonly<Record<string, string>>;

/** Reads rows without a header. Throws for a file that is cut off within quotes. */
export const plainRows = (text: string, delimiter = ","): string[][] =>
  parse(withoutEnd(text), {
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    relax_quotes: true,
  });

/** Reads rows by the names of their columns. Throws when a column is missing or a row has more or fewer fields than the header. */
export function namedRows(text: string, needed: readonly string[], delimiter = ","): CsvRow[] {
  const rows = parse<CsvRow>(text, {
    delimiter,
    bom: true,
    columns: trimmed,
    skip_empty_lines: true,
    relax_quotes: true,
  });
  const [first] = rows;
  if (first === undefined) throw new Error("the list has no rows");
  const missing = needed.filter((name) => first[name] === undefined);
  if (missing.length > 0) throw new Error(`the list has no column ${missing.join(", ")}`);
  return rows;
}

const trimmed = (header: string[]): string[] => header.map((name) => name.trim());

/** Old files of OFAC end with the end-of-file sign of CP/M. */
const withoutEnd = (text: string): string => {
  const end = text.trimEnd();
  return end.endsWith(String.fromCharCode(0x1a)) ? end.slice(0, -1) : text;
};
