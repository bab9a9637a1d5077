import { derivedUuid } from "../../shared/kernel/ids";
import type { PersonFields } from "./person-fields";
import type { Factor, ListEntry, Subject } from "./screening/list-entry";
import { makeSearchable, type SearchableList, screenSubject } from "./screening/screen-subject";

/** People, companies and vessels that must not be served, as one publisher names them. */
export interface ScreeningList {
  /** Name that operators give it; empty for the only list. */
  name: string;
  /** The publisher's version, with a digest of the entries: different content is a different version. */
  version: string;
  /** Time at which it was published or fetched; a list can be too old to be relied on. */
  madeAt: Date | undefined;
  entries: readonly ListEntry[];
  digests: readonly string[];
  searchable: SearchableList;
}

/** An entry of a list that a subject resembles. */
export interface ScreeningHit {
  entryId: string;
  /** Digest of the entry; a cleared hit is raised again when it changes. */
  entryDigest: string;
  /** 1 means identical beyond doubt, 0 nothing in common. */
  likeness: number;
  /** Factors for and against it; absent in hits of the oldest reviews. */
  factors?: readonly Factor[];
  /** The entry as it was found. */
  entry?: ListEntry & { list: string };
}

/** The fields by which a subject is found on a list. */
export type Names = Pick<
  PersonFields,
  "firstName" | "lastName" | "companyName" | "birthDate" | "identification" | "nationality" | "address"
> & {
  /** A name that is not split into parts, of a person or a company. */
  fullName?: string | undefined;
  /** Numbers of further documents, and of vessels. */
  documents?: readonly string[] | undefined;
};

/** Points out of a hundred that make a hit unless a list or a tenant has its own threshold. */
export const defaultThreshold = 90;

/** Returns the entries that any of these resembles, each once, the most similar first. */
export function screen(
  list: ScreeningList,
  people: readonly Names[],
  threshold: number = defaultThreshold,
): readonly ScreeningHit[] {
  const best = new Map<string, ScreeningHit>();
  for (const person of people) {
    for (const { place, entry, points, factors } of screenSubject(list.searchable, subjectOf(person), threshold)) {
      const entryId = list.name === "" ? entry.id : `${list.name}:${entry.id}`;
      const likeness = points / 100;
      if (likeness <= (best.get(entryId)?.likeness ?? 0)) continue;
      const found = { ...entry, list: list.name };
      best.set(entryId, { entryId, entryDigest: list.digests[place] ?? "", likeness, factors, entry: found });
    }
  }
  return [...best.values()].toSorted((one, other) => other.likeness - one.likeness);
}

/** A full name that is not split into parts. */
export const namesOf = (fullName: string): Names => ({ fullName });

const subjectOf = ({ identification, nationality, documents = [], address, ...names }: Names): Subject => ({
  ...names,
  countries: nationality === undefined ? [] : [nationality],
  residences: address?.countryCode === undefined ? [] : [address.countryCode],
  documents: identification === undefined ? documents : [identification, ...documents],
});

/** Makes a list from entries. Throws for two entries with one id, and for an entry without anything to find it by. */
export function makeScreeningList(
  { name, version, madeAt }: Pick<ScreeningList, "name" | "version" | "madeAt">,
  entries: readonly ListEntry[],
): ScreeningList {
  const digests = entries.map(digestOf);
  if (new Set(entries.map(({ id }) => id)).size < entries.length) {
    throw new Error("two entries of the screening list have one id");
  }
  const digest = derivedUuid("list", ...entries.map(({ id }, place) => `${id}=${digests[place]}`)).slice(0, 8);
  return { name, version: `${version}.${digest}`, madeAt, entries, digests, searchable: makeSearchable(entries) };
}

/** The parts of an entry that decide who is found: when they change, cleared hits are reviewed again. */
function digestOf({ kind, names, births, documents, countries }: ListEntry): string {
  const parts = [
    kind,
    ...names.map(({ text, isWeak }) => `${text.normalize("NFKC").toLowerCase()}${isWeak ? " (weak)" : ""}`).toSorted(),
    ...births.map(({ from, to }) => `${from}/${to}`).toSorted(),
    ...documents.map(({ type, number }) => `${type} ${number}`).toSorted(),
    ...countries.toSorted(),
  ];
  return derivedUuid("entry", ...parts).slice(0, 8);
}

/** The digest of each entry, by its id. */
export const digestsOf = ({ entries, digests }: ScreeningList): ReadonlyMap<string, string> =>
  new Map(entries.map(({ id }, place) => [id, digests[place] ?? ""]));

/** Returns the entries that are new or have changed since the list had these digests, as a list of their own. */
export function changedEntries(list: ScreeningList, known: ReadonlyMap<string, string>): ScreeningList {
  const places = list.entries.flatMap(({ id }, place) => (known.get(id) === list.digests[place] ? [] : [place]));
  const entries = places.flatMap((place) => list.entries[place] ?? []);
  const digests = places.map((place) => list.digests[place] ?? "");
  return { ...list, entries, digests, searchable: makeSearchable(entries) };
}
