import anyAscii from "any-ascii";
import { distance } from "fastest-levenshtein";
import { parseJsonObject } from "../../shared/json";
import type { PersonFields } from "./person-fields";

/** People and companies that must not be served, as a file of the operator names them. */
export interface ScreeningList {
  version: string;
  /** Names in the form in which they are compared. */
  entries: readonly { id: string; names: readonly string[] }[];
}

/** An entry of the list that a person resembles. */
export interface ScreeningHit {
  entryId: string;
  listVersion: string;
  /** 1 is the same name, 0 has nothing in common. */
  likeness: number;
}

/** Names that are at least this alike are the same to us: about one slip in eight letters. */
const threshold = 0.87;

/**
 * The entry whose name is most like that of the person, if it is like enough. Names are compared without script, accents,
 * case, punctuation and order of words, so that a name is found however it was transliterated or sorted.
 */
export function screen(list: ScreeningList, fields: PersonFields): ScreeningHit | undefined {
  const name = comparable([fields.firstName, fields.lastName, fields.companyName].filter(Boolean).join(" "));
  const surname = comparable(fields.lastName ?? "");
  let best: ScreeningHit | undefined;
  for (const { id, names } of list.entries) {
    for (const listed of names) {
      const likeness = likenessOf(listed, [name, surname]);
      if (likeness >= threshold && likeness > (best?.likeness ?? 0)) {
        best = { entryId: id, listVersion: list.version, likeness };
      }
    }
  }
  return best;
}

/** A listed name of several words is compared with the whole name; one of a single word also with the surname. */
const likenessOf = (listed: string, [name, surname]: readonly [string, string]): number =>
  Math.max(likeness(listed, name), listed.includes(" ") ? 0 : likeness(listed, surname));

function likeness(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  return one === "" || other === "" ? 0 : 1 - distance(one, other) / longest;
}

const comparable = (name: string): string =>
  anyAscii(name.normalize("NFKC"))
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]+/g, " ")
    .split(" ")
    .filter((word) => word !== "")
    .toSorted()
    .join(" ");

const listLimits = {
  depth: 5,
  keys: 1_000_000,
  stringLength: 512,
  arrayLength: 1_000_000,
  keyLength: 64,
  pathLength: 256,
};

/**
 * Reads a list `{"version": "…", "entries": [{"id": "…", "names": ["…"]}]}`. Throws with the rule that the text breaks: a
 * list that is read by half would let through whom it names.
 */
export function parseScreeningList(text: string): ScreeningList {
  const { version, entries } = parseJsonObject(text, listLimits).value;
  if (typeof version !== "string" || version === "") throw new Error("the screening list has no version");
  if (!Array.isArray(entries)) throw new Error("the screening list has no entries");
  return { version, entries: entries.map(parseEntry) };
}

function parseEntry(entry: unknown, index: number): ScreeningList["entries"][number] {
  const { id, names } = Object(entry) as { id?: unknown; names?: unknown };
  const isText = (value: unknown): value is string => typeof value === "string" && comparable(value) !== "";
  if (!isText(id) || !Array.isArray(names) || names.length === 0 || !names.every(isText)) {
    throw new Error(`entry ${index} of the screening list needs an id and names that have letters or digits`);
  }
  return { id, names: names.map(comparable) };
}
