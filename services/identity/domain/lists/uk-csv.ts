import type { EntryKind } from "../screening/list-entry";
import { type CsvRow, namedRows } from "./csv-rows";
import {
  addDocument,
  addName,
  addTo,
  birthSpanOf,
  countriesOf,
  type DraftEntry,
  dayAt,
  draftOf,
  finished,
  type LoadedList,
} from "./list-facts";

const kinds: Readonly<Record<string, EntryKind>> = { individual: "PERSON", entity: "COMPANY", ship: "VESSEL" };
const nameColumns = ["Name 1", "Name 2", "Name 3", "Name 4", "Name 5", "Name 6"];

/** The UK Sanctions List: a line with the day of the report, then one row for each name or address. */
export function readUkCsv(text: string): LoadedList {
  const [, day, rest] = /^\uFEFF?"?Report Date:\s*([^\r\n",]+)[^\r\n]*\r?\n([\s\S]*)$/.exec(text) ?? [];
  if (day === undefined || rest === undefined) throw new Error("the UK list does not begin with its report date");
  const entries = new Map<string, DraftEntry>();
  for (const row of namedRows(rest, ["Unique ID", "Name 6", "Designation Type"])) {
    const id = row["Unique ID"] ?? "";
    const draft =
      entries.get(id) ?? draftOf(id, kinds[(row["Designation Type"] ?? "").trim().toLowerCase()] ?? "UNKNOWN");
    entries.set(id, draft);
    addRow(draft, row);
  }
  return { version: day.trim(), madeAt: dayAt(day.trim()), entries: finished(entries.values(), "UK") };
}

function addRow(draft: DraftEntry, row: CsvRow): void {
  const of = (column: string): string => row[column] ?? "";
  const isWeak = /low|weak/i.test(of("Alias strength"));
  addName(draft, nameColumns.map(of).join(" "), isWeak);
  addName(draft, of("Name non-latin script"));
  addTo(draft.programmes, of("Regime Name"));
  addTo(draft.birthPlaces, [of("Town of birth"), of("Country of birth")].filter(Boolean).join(", "));
  for (const said of of("D.O.B").split(/\(\d+\)|;|\|/)) {
    const span = birthSpanOf(said);
    if (span !== undefined && !draft.births.some(({ from, to }) => from === span.from && to === span.to))
      draft.births.push(span);
  }
  for (const code of countriesOf(of("Nationality(/ies)"))) draft.countries.add(code);
  addNumbers(draft, "PASSPORT", of("Passport number"));
  addNumbers(draft, "NATIONAL_ID", of("National Identifier number"));
  addNumbers(draft, "REGISTRATION", of("Business registration number (s)"));
  addNumbers(draft, "IMO", of("IMO number"));
}

function addNumbers(draft: DraftEntry, type: string, text: string): void {
  for (const number of text.split(/\(\d+\)|;|\||,/)) addDocument(draft, type, number);
}
