import { type DateRelation, relateDates, yearOf } from "./birth-date";
import { type Candidate, candidatesOf } from "./candidates";
import {
  type Asked,
  askFor,
  compareNames,
  everyPoint,
  leastConflict,
  type NameScore,
  type Support,
} from "./compare-names";
import { comparableDocument, type Factor, type ListEntry, type Subject } from "./list-entry";
import { type IndexedName, makeNameIndex, type NameIndex } from "./name-index";
import { particles } from "./name-tables";
import { companyNames, type NameWords, personNames } from "./name-words";

/** A list that subjects can be compared with. */
export interface SearchableList {
  entries: readonly ListEntry[];
  index: NameIndex;
  documents: ReadonlyMap<string, readonly number[]>;
}

/** An entry that a subject resembles. */
export interface Found {
  /** Its place in the list. */
  place: number;
  entry: ListEntry;
  /** 0 to 100. */
  points: number;
  factors: readonly Factor[];
}

export function makeSearchable(entries: readonly ListEntry[]): SearchableList {
  const documents = new Map<string, number[]>();
  for (const [place, entry] of entries.entries()) {
    for (const { number } of entry.documents) {
      const text = comparableDocument(number);
      if (text !== undefined) documents.set(text, [...(documents.get(text) ?? []), place]);
    }
  }
  return { entries, index: makeNameIndex(entries), documents };
}

/** Returns the entries that the subject resembles with at least the given points, the most similar first. */
export function screenSubject(list: SearchableList, subject: Subject, threshold: number): Found[] {
  const best = new Map<number, Found>(documentHits(list, subject));
  const { index } = list;
  const year = subject.birthDate === undefined ? undefined : yearOf(subject.birthDate);
  const datesOf = (entry: ListEntry): DateRelation =>
    entry.kind === "COMPANY" ? "unknown" : relateDates(subject.birthDate, entry.births);
  const mayHit = (asked: Asked, candidate: Candidate): boolean => {
    if (index.isCompany(candidate.name) !== asked.isCompany) return false;
    if (!candidate.isConflict) return true;
    if (year === undefined || !index.isBornAbout(candidate.name, year))
      return !isBeyond(candidate, "unknown", threshold);
    const entry = list.entries[index.names[candidate.name]?.entry ?? -1];
    return entry !== undefined && !isBeyond(candidate, datesOf(entry), threshold);
  };
  for (const asked of namesOf(subject, index)) {
    for (const id of candidatesOf(asked, index, (candidate) => mayHit(asked, candidate))) {
      const name = index.names[id];
      const entry = name && list.entries[name.entry];
      if (name === undefined || entry === undefined || isOtherVessel(entry, subject)) continue;
      const dates = datesOf(entry);
      if (asked.isSouthern && name.isSouthern) continue;
      const score = bestScore(asked, name, id, index, supportOf(dates));
      if (score.points < threshold - 15) continue;
      const found = { place: name.entry, ...weigh(entry, subject, dates, score, asked) };
      if (found.points >= threshold && found.points > (best.get(name.entry)?.points ?? 0)) best.set(name.entry, found);
    }
  }
  return [...best.values()].toSorted((one, other) => other.points - one.points);
}

/** The score with looser similarities is never worse than that of the name without them. */
function bestScore(asked: Asked, name: IndexedName, id: number, index: NameIndex, support: Support): NameScore {
  const strict = compareNames(asked, name, id, index, "none");
  if (support === "none" || strict.points >= everyPoint) return strict;
  const loose = compareNames(asked, name, id, index, support);
  return loose.points > strict.points ? loose : strict;
}

/** True if words that differ on both sides cost more than anything else could compensate. */
function isBeyond({ isConflict, isConflictDated }: Candidate, dates: DateRelation, threshold: number): boolean {
  const differs = supportOf(dates) === "none" ? isConflict : isConflictDated;
  return differs && everyPoint - leastConflict + Math.max(0, datePoints[dates] ?? 0) + sameCountry < threshold;
}

const supportOf = (dates: DateRelation): Support =>
  dates === "equal" || dates === "swapped" ? "full" : dates === "near" || dates === "within" ? "some" : "none";

function* documentHits({ documents, entries }: SearchableList, subject: Subject): Generator<[number, Found]> {
  for (const number of subject.documents ?? []) {
    for (const place of documents.get(comparableDocument(number) ?? "") ?? []) {
      const entry = entries[place];
      const factors = [{ factor: "document", points: everyPoint, listed: comparableDocument(number) ?? "" }];
      if (entry !== undefined) yield [place, { place, entry, points: everyPoint, factors }];
    }
  }
}

/** The same name with another IMO number is another vessel. */
function isOtherVessel({ kind, documents }: ListEntry, subject: Subject): boolean {
  if (kind !== "VESSEL") return false;
  const own = (subject.documents ?? []).map(comparableDocument).filter((number) => /^\d{7}$/.test(number ?? ""));
  const listed = documents.flatMap(({ type, number }) => (type === "IMO" ? [comparableDocument(number)] : []));
  return own.length > 0 && listed.length > 0 && !own.some((number) => listed.includes(number));
}

function namesOf(subject: Subject, index: NameIndex): Asked[] {
  const { firstName = "", lastName = "", companyName, fullName } = subject;
  const familyOf = (names: readonly NameWords[]): Set<string> =>
    new Set(names.flatMap(({ words }) => words.map(({ text }) => text)).filter((text) => !particles.has(text)));
  const isHan = /\p{Script=Han}|\p{Script=Hangul}/u.test(lastName);
  const parted = personNames(isHan ? `${lastName} ${firstName}` : `${firstName} ${lastName}`);
  const family = familyOf(personNames(lastName));
  const whole = personNames(fullName ?? "");
  const lastOf = ({ words }: NameWords): Set<string> => new Set(words.slice(-1).map(({ text }) => text));
  const isOpen = subject.birthDate !== undefined;
  const firm = companyName ?? fullName ?? "";
  return [
    ...parted.map((name) => askFor(name, family, index, isOpen)),
    ...whole.map((name) => askFor(name, lastOf(name), index, isOpen)),
    ...companyNames(firm).map((name) => askFor(name, new Set(), index, false)),
    ...personNames(companyName ?? "").map((name) => askFor(name, new Set(), index, false)),
  ];
}

const datePoints: Readonly<Partial<Record<DateRelation, number>>> = { equal: 14, swapped: 10, within: 8, near: 8 };

/** Adds the points for facts beside the name. */
function weigh(
  entry: ListEntry,
  subject: Subject,
  dates: DateRelation,
  score: NameScore,
  asked: Asked,
): Omit<Found, "place"> {
  const factors = [...score.factors];
  const add = (factor: string, points: number, listed: string): void => {
    if (points !== 0) factors.push({ factor, points: Math.round(points * 10) / 10, listed });
  };
  const births = entry.births.map(({ from, to }) => (from === to ? from : `${from}/${to}`)).join(" ");
  const certainty = Math.min(16, Math.max(0, (score.bits - 12) * 1.2));
  add("birth date", dates === "apart" ? certainty - 36 : (datePoints[dates] ?? 0), births);
  add("country", countryPoints(entry, subject, score), entry.countries.join(" "));
  add("kind", kindPoints(entry, subject, score, asked), entry.kind);
  const points = Math.max(
    0,
    Math.min(
      everyPoint,
      factors.reduce((sum, { points: own }) => sum + own, 0),
    ),
  );
  return { entry, points: Math.round(points * 10) / 10, factors };
}

const sameCountry = 2;

function countryPoints({ countries }: ListEntry, subject: Subject, { bits, isComplete }: NameScore): number {
  const own = subject.countries ?? [];
  if (countries.length === 0) return 0;
  if ([...own, ...(subject.residences ?? [])].some((country) => countries.includes(country))) return sameCountry;
  if (own.length === 0) return 0;
  return Math.min(0, -28 + Math.min(22, Math.max(0, (bits - 10) * 2))) - (isComplete ? 0 : 8);
}

function kindPoints({ kind }: ListEntry, { companyName, fullName }: Subject, score: NameScore, asked: Asked): number {
  if (kind === "UNKNOWN" || fullName !== undefined) return kind === "VESSEL" && !score.isComplete ? -30 : 0;
  if (!asked.isCompany && kind !== "PERSON") return -30;
  return companyName !== undefined && asked.isCompany && kind === "PERSON" ? -12 : 0;
}
