import anyAscii from "any-ascii";
import { distance } from "fastest-levenshtein";
import { derivedUuid } from "../../shared/ids";
import { parseJsonObject } from "../../shared/json";
import type { PersonFields } from "./person-fields";

/** People and companies that must not be served, as a file of the operator names them. */
export interface ScreeningList {
  /** What the file says, with a digest of the entries: another content is another version. */
  version: string;
  entries: readonly ListEntry[];
}

interface ListEntry {
  id: string;
  /** The words of each name, in the form in which they are compared. */
  names: readonly Words[];
  /** Changes with the names. */
  digest: string;
}

/** Words of a name, sorted. */
type Words = readonly string[];

/** An entry of the list that somebody resembles. */
export interface ScreeningHit {
  entryId: string;
  /** What the entry was like; a hit that was cleared is raised again when this changes. */
  entryDigest: string;
  /** 1 is the same name, 0 has nothing in common. */
  likeness: number;
}

/** By what somebody is found on a list. */
export type Names = Pick<PersonFields, "firstName" | "lastName" | "companyName">;

/** Names that are at least this alike are the same to us: about one slip in eight letters. */
const threshold = 0.87;

/**
 * The entries with a name that is like enough to that of somebody, each once, the most alike first. Names are compared
 * without script, accents, case, punctuation and order of words, so that a name is found however it was transliterated or
 * sorted. A person's name and a company's are two names, so that neither hides the other.
 */
export function screen(list: ScreeningList, ...people: readonly Names[]): readonly ScreeningHit[] {
  const wanted = people.flatMap(({ firstName = "", lastName = "", companyName = "" }) => [
    { name: wordsOf(`${firstName} ${lastName}`), surname: wordsOf(lastName) },
    { name: wordsOf(companyName), surname: [] },
  ]);
  const hits = list.entries.flatMap(({ id, names, digest }) => {
    const likeness = Math.max(0, ...names.flatMap((listed) => wanted.map((one) => likenessOf(listed, one))));
    return likeness < threshold ? [] : [{ entryId: id, entryDigest: digest, likeness }];
  });
  return hits.toSorted((one, other) => other.likeness - one.likeness);
}

/** A full name that is not parted: its last word is taken for the surname. */
export function namesOf(fullName: string): Names {
  const words = fullName.split(/\s+/).filter((word) => word !== "");
  return { firstName: words.slice(0, -1).join(" "), lastName: words.at(-1) ?? "" };
}

/** A listed name of several words is compared with the whole name; one of a single word also with the surname. */
const likenessOf = (listed: Words, { name, surname }: { name: Words; surname: Words }): number =>
  Math.max(likeness(listed, name), listed.length > 1 ? 0 : likeness(listed, surname));

/** Lengths alone rule most names out before their letters are compared. */
function likeness(listed: Words, given: Words): number {
  const [one, other] = [listed.join(" "), given.join(" ")];
  const longest = Math.max(one.length, other.length);
  if (one === "" || other === "" || Math.abs(one.length - other.length) > longest * (1 - threshold)) return 0;
  const fewest = Math.min(distance(one, other), distance(one, inOrderOf(listed, given).join(" ")));
  return 1 - fewest / longest;
}

/** The given words, each where the listed word is that it is most like: a slip in a first letter changes how words sort. */
function inOrderOf(listed: Words, given: Words): Words {
  const left = [...given];
  const paired = listed.flatMap((word) => {
    const slips = left.map((one) => distance(word, one));
    return left.splice(slips.indexOf(Math.min(...slips)), 1);
  });
  return [...paired, ...left];
}

const wordsOf = (name: string): Words =>
  anyAscii(name.normalize("NFKC"))
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]+/g, " ")
    .split(" ")
    .filter((word) => word !== "")
    .toSorted();

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
  const parsed = entries.map(parseEntry);
  if (new Set(parsed.map(({ id }) => id)).size < parsed.length) {
    throw new Error("two entries of the screening list have one id");
  }
  const digest = derivedUuid("list", ...parsed.map(({ id, digest: own }) => `${id}=${own}`)).slice(0, 8);
  return { version: `${version}.${digest}`, entries: parsed };
}

function parseEntry(entry: unknown, index: number): ListEntry {
  const { id, names } = Object(entry) as { id?: unknown; names?: unknown };
  const isText = (value: unknown): value is string => typeof value === "string" && wordsOf(value).length > 0;
  if (!isText(id) || !Array.isArray(names) || names.length === 0 || !names.every(isText)) {
    throw new Error(`entry ${index} of the screening list needs an id and names that have letters or digits`);
  }
  const words = names.map(wordsOf);
  const digest = derivedUuid("entry", ...words.map((one) => one.join(" ")).toSorted()).slice(0, 8);
  return { id, names: words, digest };
}
