import { type DateRelation, relateDates } from "./birth-date";
import { type Asked, askFor, compareNames, everyPoint, type NameScore, type Support } from "./compare-names";
import { comparableDocument, type Factor, type ListEntry, type Subject } from "./list-entry";
import { makeNameIndex, type NameIndex } from "./name-index";
import { particles } from "./name-tables";
import { companyNames, type NameWords, personNames } from "./name-words";

/** A list that subjects can be compared with. */
export interface SearchableList {
  entries: readonly ListEntry[];
  index: NameIndex;
  documents: ReadonlyMap<string, readonly number[]>;
}

/** An entry that somebody is like. */
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

/** The entries that the subject is like with at least so many points, the most alike first. */
export function screenSubject(list: SearchableList, subject: Subject, threshold: number): Found[] {
  const best = new Map<number, Found>(documentHits(list, subject));
  const { acc, touched } = board(list.index.names.length);
  for (const asked of namesOf(subject, list.index)) {
    for (const id of candidates(asked, list.index, acc, touched)) {
      const name = list.index.names[id];
      const entry = name && list.entries[name.entry];
      if (name?.isCompany !== asked.isCompany || entry === undefined || isOtherVessel(entry, subject)) continue;
      const dates = entry.kind === "COMPANY" ? "unknown" : relateDates(subject.birthDate, entry.births);
      const score = compareNames(asked, name, id, list.index, supportOf(dates));
      if (score.points < threshold - 15) continue;
      const found = { place: name.entry, ...weigh(entry, subject, dates, score, asked) };
      if (found.points >= threshold && found.points > (best.get(name.entry)?.points ?? 0)) best.set(name.entry, found);
    }
  }
  return [...best.values()].toSorted((one, other) => other.points - one.points);
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

function namesOf({ firstName = "", lastName = "", companyName, fullName }: Subject, index: NameIndex): Asked[] {
  const familyOf = (names: readonly NameWords[]): Set<string> =>
    new Set(names.flatMap(({ words }) => words.map(({ text }) => text)).filter((text) => !particles.has(text)));
  const isHan = /\p{Script=Han}|\p{Script=Hangul}/u.test(lastName);
  const parted = personNames(isHan ? `${lastName} ${firstName}` : `${firstName} ${lastName}`);
  const family = familyOf(personNames(lastName));
  const whole = personNames(fullName ?? "");
  const lastOf = ({ words }: NameWords): Set<string> => new Set(words.slice(-1).map(({ text }) => text));
  const firm = companyName ?? fullName ?? "";
  return [
    ...parted.map((name) => askFor(name, family, index)),
    ...whole.map((name) => askFor(name, lastOf(name), index)),
    ...companyNames(firm).map((name) => askFor(name, new Set(), index)),
    ...personNames(companyName ?? "").map((name) => askFor(name, new Set(), index)),
  ];
}

let shared = { acc: new Float32Array(0), touched: [] as number[] };

/** One scratch board for all searches: they do not wait for anything, so none meets another's. */
function board(size: number): { acc: Float32Array; touched: number[] } {
  if (shared.acc.length < size) shared = { acc: new Float32Array(size), touched: [] };
  return shared;
}

const mostCompared = 400;

/**
 * Names that have enough words in common with the one that was asked for to be compared with it. The word that most names have
 * only counts for those that have another one, too: alone it is not enough, but for names of one word.
 */
function candidates({ spans, words }: Asked, index: NameIndex, acc: Float32Array, touched: number[]): number[] {
  const own = words.reduce((sum, { bits }) => sum + bits, 0);
  const sized = spans.map(({ found }) => {
    const places = [...found.words.keys()].reduce((sum, id) => sum + index.namesWith(id).length, 0);
    return { found, places };
  });
  sized.sort((one, other) => one.places - other.places);
  for (const [rank, { found, places }] of sized.entries()) {
    const isMost = rank > 0 && rank === sized.length - 1 && places > 200;
    for (const [wordId, { likeness, system }] of found.words) {
      const worth = index.bitsOf(wordId) * Math.max(likeness, system);
      for (const name of index.namesWith(wordId)) {
        if (!isMost || acc[name] !== 0 || index.names[name]?.words.length === 1) add(acc, touched, name, worth);
      }
    }
    for (const { name, length, likeness, system } of found.spans) {
      add(acc, touched, name, 6 * length * Math.max(likeness, system));
    }
  }
  const near = touched.filter((name) => (acc[name] ?? 0) >= 0.5 * Math.min(own, index.totalOf(name)));
  const few =
    near.length <= mostCompared ? near : near.toSorted((a, b) => (acc[b] ?? 0) - (acc[a] ?? 0)).slice(0, mostCompared);
  for (const name of touched) acc[name] = 0;
  touched.length = 0;
  return few;
}

function add(acc: Float32Array, touched: number[], name: number, worth: number): void {
  if (acc[name] === 0) touched.push(name);
  acc[name] = (acc[name] ?? 0) + worth;
}

const datePoints: Readonly<Partial<Record<DateRelation, number>>> = { equal: 14, swapped: 10, within: 8, near: 8 };

/** Adds what is known beside the name. */
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
  add("country", countryPoints(entry, subject, score.bits), entry.countries.join(" "));
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

function countryPoints({ countries }: ListEntry, subject: Subject, bits: number): number {
  const own = subject.countries ?? [];
  if (countries.length === 0) return 0;
  if ([...own, ...(subject.residences ?? [])].some((country) => countries.includes(country))) return 2;
  if (own.length === 0) return 0;
  return Math.min(0, -26 + Math.min(22, Math.max(0, (bits - 10) * 2)));
}

function kindPoints({ kind }: ListEntry, { companyName, fullName }: Subject, score: NameScore, asked: Asked): number {
  if (kind === "UNKNOWN" || fullName !== undefined) return kind === "VESSEL" && !score.isComplete ? -30 : 0;
  if (!asked.isCompany && kind !== "PERSON") return -30;
  return companyName !== undefined && asked.isCompany && kind === "PERSON" ? -12 : 0;
}
