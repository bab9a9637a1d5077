import { parseInstant } from "../../../shared/kernel/clock";
import { parseJsonObject } from "../../../shared/kernel/json";
import type { EntryKind } from "../screening/list-entry";
import { companyNames } from "../screening/name-words";
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

const limits = {
  depth: 6,
  keys: 4_000_000,
  stringLength: 1_024,
  arrayLength: 1_000_000,
  keyLength: 64,
  pathLength: 256,
};
const kinds: readonly EntryKind[] = ["PERSON", "COMPANY", "VESSEL", "UNKNOWN"];

/**
 * A list of one's own: `{"version": "…", "entries": [{"id": "…", "names": ["…"]}]}`, with `kind`, `weakNames`, `birthDates`, `birthPlaces`,
 * `documents`, `countries` and `programmes` where they are known. Throws an error that names the rule that the text breaks.
 */
export function readOwnList(text: string): LoadedList {
  const { version, madeAt, entries } = parseJsonObject(text, limits).value;
  if (typeof version !== "string" || version === "") throw new Error("the screening list has no version");
  if (!Array.isArray(entries)) throw new Error("the screening list has no entries");
  const at = typeof madeAt === "string" ? parseInstant(madeAt) : undefined;
  if (typeof madeAt === "string" && at === undefined)
    throw new Error("the screening list has a madeAt that is no instant");
  return { version, madeAt: at, entries: finished(entries.map(entryOf), "screening") };
}

const isName = (value: unknown): value is string => typeof value === "string" && companyNames(value).length > 0;

function entryOf(entry: unknown, index: number): DraftEntry {
  const { id, names, kind = "UNKNOWN", ...more } = Object(entry) as Record<string, unknown>;
  const where = `entry ${index} of the screening list`;
  if (!isName(id) || !Array.isArray(names) || names.length === 0 || !names.every(isName)) {
    throw new Error(`${where} needs an id and names that have letters or digits`);
  }
  const known = kinds.find((one) => one === kind);
  if (known === undefined) throw new Error(`${where} has a kind that is none of ${kinds.join(", ")}`);
  const of = (field: string): string[] => {
    const values = more[field] ?? [];
    if (Array.isArray(values) && values.every((value) => typeof value === "string")) return values;
    throw new Error(`${where} has ${field} that are no list of texts`);
  };
  const draft = draftOf(id, known);
  for (const name of names) addName(draft, name);
  for (const name of of("weakNames")) addName(draft, name, true);
  for (const text of of("birthDates")) {
    const span = birthSpanOf(text);
    if (span === undefined) throw new Error(`${where} has a birth date that is none: ${text}`);
    draft.births.push(span);
  }
  for (const country of of("countries").flatMap(countriesOf)) draft.countries.add(country);
  for (const place of of("birthPlaces")) addTo(draft.birthPlaces, place);
  for (const programme of of("programmes")) addTo(draft.programmes, programme);
  for (const number of of("documents")) addDocument(draft, known === "VESSEL" ? "IMO" : "DOCUMENT", number);
  return draft;
}
