import { derivedUuid } from "../../shared/kernel/ids";
import type { PersonFields } from "./person-fields";
import type { Factor, ListEntry, Subject } from "./screening/list-entry";
import { makeSearchable, type SearchableList, screenSubject } from "./screening/screen-subject";

/** People, companies and vessels that must not be served, as one publisher names them. */
export interface ScreeningList {
  /** How operators call it; empty for the only list. */
  name: string;
  /** What the publisher says, with a digest of the entries: another content is another version. */
  version: string;
  /** When it was published or fetched; a list can be too old to be relied on. */
  madeAt: Date | undefined;
  entries: readonly ListEntry[];
  digests: readonly string[];
  searchable: SearchableList;
}

/** An entry of a list that a subject resembles. */
export interface ScreeningHit {
  entryId: string;
  /** What the entry was like; a hit that was cleared is raised again when this changes. */
  entryDigest: string;
  /** 1 is the same beyond doubt, 0 has nothing in common. */
  likeness: number;
  /** What spoke for and against it; absent in hits of the oldest reviews. */
  factors?: readonly Factor[];
  /** The entry as it was found. */
  entry?: ListEntry & { list: string };
}

/** The fields by which a subject is found on a list. */
export type Names = Pick<
  PersonFields,
  "firstName" | "lastName" | "companyName" | "birthDate" | "identification" | "nationality" | "address"
> & {
  /** A name that is not parted, of a person or a company. */
  fullName?: string | undefined;
  /** Numbers of more documents, and of vessels. */
  documents?: readonly string[] | undefined;
};

/** How many points of a hundred make a hit unless a list or a tenant says otherwise. */
export const defaultThreshold = 90;

/** The entries that any of these is like, each once, the most alike first. */
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

/** A full name that is not parted. */
export const namesOf = (fullName: string): Names => ({ fullName });

const subjectOf = ({ identification, nationality, documents = [], address, ...names }: Names): Subject => ({
  ...names,
  countries: nationality === undefined ? [] : [nationality],
  residences: address?.countryCode === undefined ? [] : [address.countryCode],
  documents: identification === undefined ? documents : [identification, ...documents],
});

/** Entries as a list. Throws for two entries with one id, and for an entry without anything to find it by. */
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

/** What of an entry decides who is found: when this changes, what was cleared is looked at again. */
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

/** What of a list is new or has changed since it had these digests, as a list of its own. */
export function changedEntries(list: ScreeningList, known: ReadonlyMap<string, string>): ScreeningList {
  const places = list.entries.flatMap(({ id }, place) => (known.get(id) === list.digests[place] ? [] : [place]));
  const entries = places.flatMap((place) => list.entries[place] ?? []);
  const digests = places.map((place) => list.digests[place] ?? "");
  return { ...list, entries, digests, searchable: makeSearchable(entries) };
}
