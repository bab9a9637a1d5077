import { parseInstant } from "../../../shared/kernel/clock";
import { parseJsonObject } from "../../../shared/kernel/json";
import type { EntryKind } from "../screening/list-entry";
import { namedRows } from "./csv-rows";
import {
  addDocument,
  addName,
  addTo,
  birthSpanOf,
  countriesOf,
  type DraftEntry,
  draftOf,
  finished,
  type LoadedList,
} from "./list-facts";

const kinds: Readonly<Record<string, EntryKind>> = {
  Person: "PERSON",
  Organization: "COMPANY",
  Company: "COMPANY",
  PublicBody: "COMPANY",
  LegalEntity: "UNKNOWN",
  Vessel: "VESSEL",
};

/** `targets.simple.csv`: one row for each target, with semicolons between several values. */
export function readSimpleCsv(text: string): LoadedList {
  const rows = namedRows(text, ["id", "schema", "name", "aliases", "birth_date", "countries", "identifiers"]);
  const seen = rows.map((row) => row["last_change"] || row["last_seen"] || "").toSorted();
  const entries = rows.map((row) => {
    const of = (column: string): string[] => (row[column] ?? "").split(";").filter((part) => part.trim() !== "");
    const draft = draftOf(row["id"] ?? "", kinds[row["schema"] ?? ""] ?? "UNKNOWN");
    for (const name of [row["name"] ?? "", ...of("aliases")]) addName(draft, name);
    addFacts(draft, {
      births: of("birth_date"),
      countries: of("countries"),
      numbers: of("identifiers"),
      programmes: of("program_ids"),
    });
    return draft;
  });
  return { version: seen.at(-1) ?? "", madeAt: instantOf(seen.at(-1)), entries: finished(entries, "OpenSanctions") };
}

const limits = { depth: 8, keys: 10_000, stringLength: 100_000, arrayLength: 10_000, keyLength: 128, pathLength: 512 };

/** Entities of FollowTheMoney, one JSON object a line. Entities that cannot be a party, such as addresses, are left out. */
export function readFtmLines(text: string): LoadedList {
  const seen: string[] = [];
  const entries = text.split("\n").flatMap((line) => {
    if (line.trim() === "") return [];
    const { id, schema, caption, properties, last_change: change } = parseJsonObject(line, limits).value;
    const kind = typeof schema === "string" ? kinds[schema] : undefined;
    if (kind === undefined) return [];
    if (typeof id !== "string") throw new Error("an entity of the OpenSanctions list has no id");
    const of = (name: string): string[] => {
      const values = Object(properties)[name] as unknown;
      return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
    };
    if (typeof change === "string") seen.push(change);
    const draft = draftOf(id, kind);
    for (const name of [...(typeof caption === "string" ? [caption] : []), ...of("name"), ...of("alias")])
      addName(draft, name);
    for (const name of of("weakAlias")) addName(draft, name, true);
    const numbers = ["idNumber", "passportNumber", "registrationNumber", "taxNumber", "innCode", "ogrnCode"].flatMap(
      of,
    );
    addFacts(draft, {
      births: of("birthDate"),
      countries: [...of("country"), ...of("nationality"), ...of("citizenship")],
      numbers,
      programmes: of("programId"),
    });
    for (const number of of("imoNumber")) addDocument(draft, "IMO", number);
    for (const place of of("birthPlace")) addTo(draft.birthPlaces, place);
    return [draft];
  });
  const last = seen.toSorted().at(-1);
  return { version: last ?? "", madeAt: instantOf(last), entries: finished(entries, "OpenSanctions") };
}

interface Facts {
  births: readonly string[];
  countries: readonly string[];
  numbers: readonly string[];
  programmes: readonly string[];
}

function addFacts(draft: DraftEntry, { births, countries, numbers, programmes }: Facts): void {
  for (const birth of births) {
    const span = birthSpanOf(birth);
    if (span !== undefined) draft.births.push(span);
  }
  for (const country of countries) for (const code of countriesOf(country)) draft.countries.add(code);
  for (const number of numbers) addDocument(draft, "DOCUMENT", number);
  for (const programme of programmes) addTo(draft.programmes, programme);
}

const instantOf = (text: string | undefined): Date | undefined => {
  if (text === undefined || text === "") return undefined;
  return parseInstant(/[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
};
