import { yearOf } from "./birth-date";
import { type KeyIndex, makeKeyIndex } from "./key-index";
import type { ListEntry } from "./list-entry";
import { companyNames, type NameWord, type NameWords, neededWords, personNames } from "./name-words";
import { coarseOf, skeletonsOf } from "./phonetic";
import { makeSpanIndex, type SpanMatch } from "./span-index";
import { leastJoined, makeVocabulary, matchWords, type Vocabulary, type WordMatch } from "./word-match";

/** One name of an entry. */
export interface IndexedName extends NameWords {
  entry: number;
  text: string;
  isWeak: boolean;
  /** Index of each word in the vocabulary. */
  wordIds: readonly number[];
}

/** Parts of a list that resemble one word. */
export interface WordMatches {
  words: ReadonlyMap<number, WordMatch>;
  spans: readonly SpanMatch[];
}

/** The names that have a word, and its positions in them. */
interface Postings {
  /** By word, the start of its names in the arrays below; the next word's follow them. */
  starts: Int32Array;
  names: Int32Array;
  /** The word's positions in the name, one bit each. */
  places: Int32Array;
  countOf(wordId: number): number;
}

export interface NameIndex {
  names: readonly IndexedName[];
  postings: Postings;
  /** Information in two names sharing the word, given how many names of the list have it. */
  bitsOf(wordId: number): number;
  /** Information in all words of a name. */
  totalOf(name: number): number;
  /** Number of its words. */
  sizeOf(name: number): number;
  /** Words without which it is a different name, one bit each. */
  neededOf(name: number): number;
  isEastAsian(name: number): boolean;
  isCompany(name: number): boolean;
  /** True if a birth date in this year, or an adjacent one, may be that of the name's entry. */
  isBornAbout(name: number, year: number): boolean;
  /**
   * `isOpen` includes matches that count only beside a birth date. `isJoined`: the word is itself several words, which count only if hardly
   * a sound differs.
   */
  find(word: NameWord, isOpen: boolean, isJoined: boolean): WordMatches;
}

const mostKept = 20_000;

/** Indexes the names of entries by their words, so that few of them have to be compared in full. */
export function makeNameIndex(entries: readonly ListEntry[]): NameIndex {
  const { names, vocabulary } = collect(entries);
  const likely = makeVocabulary(vocabulary);
  const postings = postingsOf(names, vocabulary.length);
  const words = indexWords(vocabulary);
  const spans = makeSpanIndex(names);
  const bits = Float32Array.from(vocabulary, (word, id) => {
    const rarity = Math.log2((names.length + 1) / (postings.countOf(id) + 1));
    return names.length < 1_000 ? word.bits : Math.min(word.bits, Math.max(3, rarity));
  });
  const totals = Float32Array.from(names, ({ wordIds }) => wordIds.reduce((sum, id) => sum + (bits[id] ?? 0), 0));
  const sizes = Uint8Array.from(names, ({ wordIds }) => wordIds.length);
  const needed = Int32Array.from(names, neededWords);
  const eastAsian = Uint8Array.from(names, ({ isEastAsian }) => (isEastAsian ? 1 : 0));
  const companies = Uint8Array.from(names, ({ isCompany }) => (isCompany ? 1 : 0));
  const [first, last] = birthYears(entries);
  const firstYears = Int16Array.from(names, ({ entry }) => first[entry] ?? 0);
  const lastYears = Int16Array.from(names, ({ entry }) => last[entry] ?? 0);
  const stamps = new Uint32Array(vocabulary.length);
  const known = Array.from({ length: 4 }, () => new Map<NameWord, WordMatches>());
  let stamp = 0;
  return {
    names,
    postings,
    bitsOf: (id) => bits[id] ?? 0,
    totalOf: (name) => totals[name] ?? 0,
    sizeOf: (name) => sizes[name] ?? 0,
    neededOf: (name) => needed[name] ?? 0,
    isEastAsian: (name) => eastAsian[name] === 1,
    isCompany: (name) => companies[name] === 1,
    isBornAbout: (name, year) => year >= (firstYears[name] ?? 0) - 1 && year <= (lastYears[name] ?? 0) + 1,
    find(word, isOpen, isJoined) {
      const kept = known[(isOpen ? 1 : 0) + (isJoined ? 2 : 0)] ?? new Map<NameWord, WordMatches>();
      const before = kept.get(word);
      if (before !== undefined) return before;
      if (kept.size >= mostKept) kept.clear();
      const seen = { stamps, stamp: ++stamp };
      const found = {
        words: findWords(word, likely, words, seen, { isOpen, isJoined }),
        spans: spans.find(word, isOpen, isJoined),
      };
      kept.set(word, found);
      return found;
    },
  };
}

/** The first and the last possible birth year of each entry; none if the list does not say. */
function birthYears(entries: readonly ListEntry[]): readonly [readonly number[], readonly number[]] {
  return [
    entries.map(({ births }) => Math.min(9_999, ...births.map(({ from }) => yearOf(from)))),
    entries.map(({ births }) => Math.max(-9_999, ...births.map(({ to }) => yearOf(to)))),
  ];
}

function postingsOf(names: readonly IndexedName[], size: number): Postings {
  const starts = new Int32Array(size + 1);
  for (const { wordIds } of names) for (const id of new Set(wordIds)) starts[id + 1] = (starts[id + 1] ?? 0) + 1;
  for (let id = 0; id < size; id++) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
  const own = new Int32Array(starts[size] ?? 0);
  const places = new Int32Array(own.length);
  const next = starts.slice();
  for (const [name, { wordIds }] of names.entries()) {
    for (const [place, id] of wordIds.entries()) {
      const first = wordIds.indexOf(id);
      const at = first === place ? (next[id] ?? 0) : (next[id] ?? 0) - 1;
      if (first === place) next[id] = at + 1;
      own[at] = name;
      places[at] = (places[at] ?? 0) | (1 << place);
    }
  }
  return { starts, names: own, places, countOf: (id) => (starts[id + 1] ?? 0) - (starts[id] ?? 0) };
}

function collect(entries: readonly ListEntry[]) {
  const ids = new Map<NameWord, number>();
  const vocabulary: NameWord[] = [];
  const names: IndexedName[] = [];
  const idOf = (word: NameWord): number => {
    const id = ids.get(word) ?? vocabulary.push(word) - 1;
    ids.set(word, id);
    return id;
  };
  for (const [entry, { kind, names: listed }] of entries.entries()) {
    for (const { text, isWeak } of listed) {
      const readings = [
        ...(kind === "COMPANY" || kind === "VESSEL" ? [] : personNames(text)),
        ...(kind === "PERSON" ? [] : companyNames(text)),
      ];
      for (const reading of readings) names.push({ ...reading, entry, text, isWeak, wordIds: reading.words.map(idOf) });
    }
  }
  return { names, vocabulary };
}

function indexWords(vocabulary: readonly NameWord[]): KeyIndex {
  const index = makeKeyIndex();
  for (const [id, word] of vocabulary.entries()) {
    const keys = keysOf(word);
    // Keys by the spellings of a syllable of another script.
    if (word.text.length <= longestSyllable) keys.add(`=${word.text}`);
    for (const key of keys) index.add(key, id);
  }
  return index.build();
}

/** Keys by sounds alone, which come last. */
const soundKeys = new Set("csd");
/** Keys by systems of East Asian spelling, which count only beside a birth date. */
const systemKeys = new Set("zk");

/** Returns the keys of a word: similar words have one in common. Joined words have no keys for an error in a consonant. */
function keysOf({ forms, groups, text, chinese, korean, spellings }: NameWord, isJoined = false): Set<string> {
  const keys = new Set<string>(groups.map((group) => `#${group}`));
  for (const spelling of spellings ?? []) keys.add(`=${spelling}`);
  if (text.length === 1 || spellings !== undefined) keys.add(`=${text}`);
  if (text.length === 1) return keys;
  if (chinese !== undefined) keys.add(`z${chinese}`);
  if (korean !== undefined) keys.add(`k${korean}`);
  if (text.length >= 8) keys.add(`p${text.slice(0, 5)}`).add(`e${text.slice(-6)}`);
  for (const { sounds } of forms) {
    const coarse = coarseOf(sounds);
    keys.add(`c${coarse}`);
    if (coarse.length >= 4 && coarse.length <= 7) for (const shorter of withoutOne(coarse)) keys.add(`c${shorter}`);
    for (const [reading, skeleton] of skeletonsOf(sounds).entries()) {
      keys.add(`s${skeleton}`);
      if (reading > 0) continue;
      const consonants = skeleton.slice(1);
      const keyOf = (own: string): string => `d${own.length < 5 ? firstOf(skeleton) : ""}${own}`;
      keys.add(keyOf(consonants));
      if (isJoined || (consonants.length < 4 && coarse.length <= 7)) continue;
      for (const shorter of withoutOne(consonants)) keys.add(keyOf(shorter));
    }
  }
  return keys;
}

/** The beginning of a word: errors seldom affect it. */
const firstOf = (skeleton: string): string => (skeleton.startsWith("V") ? "V" : skeleton.charAt(1).replace("F", "P"));

function* withoutOne(text: string): Generator<string> {
  for (let index = 0; index < text.length; index++) yield text.slice(0, index) + text.slice(index + 1);
}

/** Korean syllables are indexed by each of their spellings. */
const longestSyllable = 7;

function findWords(
  word: NameWord,
  vocabulary: Vocabulary,
  index: KeyIndex,
  { stamps, stamp }: { stamps: Uint32Array; stamp: number },
  { isOpen, isJoined }: { isOpen: boolean; isJoined: boolean },
): Map<number, WordMatch> {
  const found = new Map<number, WordMatch>();
  let bySounds = false;
  const visit = (id: number): void => {
    if (stamps[id] === stamp) return;
    stamps[id] = stamp;
    const measured = vocabulary.measure(word, id, isOpen, isJoined ? leastJoined : 0);
    if (bySounds && measured === 0) return;
    const candidate = vocabulary.words[id];
    const match = candidate && matchWords(word, candidate, isOpen, Math.max(0, measured));
    if (match !== undefined && (match.likeness > 0 || match.system > 0)) found.set(id, match);
  };
  if (word.text.length <= longestSyllable) index.each(`=${word.text}`, visit);
  for (const key of keysOf(word, isJoined)) {
    if (systemKeys.has(key.charAt(0)) && !isOpen) continue;
    bySounds = soundKeys.has(key.charAt(0));
    index.each(key, visit);
  }
  return found;
}
