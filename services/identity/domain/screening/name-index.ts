import { type KeyIndex, makeKeyIndex } from "./key-index";
import type { ListEntry } from "./list-entry";
import {
  companyNames,
  joinedSounds,
  joinedWord,
  type NameWord,
  type NameWords,
  nameWord,
  personNames,
} from "./name-words";
import { coarseOf, skeletonsOf } from "./phonetic";
import { matchWords, type WordMatch } from "./word-match";

/** One name of an entry. */
export interface IndexedName extends NameWords {
  entry: number;
  text: string;
  isWeak: boolean;
  /** Place of each word in the vocabulary. */
  wordIds: readonly number[];
}

/** Neighbouring words of a listed name that are like one word that was asked for. */
export interface SpanMatch extends WordMatch {
  name: number;
  start: number;
  length: number;
}

/** What of a list is like one word. */
export interface WordMatches {
  words: ReadonlyMap<number, WordMatch>;
  spans: readonly SpanMatch[];
}

export interface NameIndex {
  names: readonly IndexedName[];
  /** How much it says that two names share the word, seen how many names of the list have it. */
  bitsOf(wordId: number): number;
  /** What all words of a name say. */
  totalOf(name: number): number;
  namesWith(wordId: number): readonly number[];
  find(word: NameWord): WordMatches;
}

const mostKept = 20_000;
const widest = 64;

/** The names of entries by their words, so that few of them have to be compared whole. */
export function makeNameIndex(entries: readonly ListEntry[]): NameIndex {
  const { names, vocabulary, postings } = collect(entries);
  const words = indexWords(vocabulary);
  const spans = indexSpans(names);
  const bits = vocabulary.map((word, id) => {
    const rarity = Math.log2((names.length + 1) / ((postings[id]?.length ?? 0) + 1));
    return names.length < 1_000 ? word.bits : Math.min(word.bits, Math.max(3, rarity));
  });
  const totals = Float32Array.from(names, ({ wordIds }) => wordIds.reduce((sum, id) => sum + (bits[id] ?? 0), 0));
  const kept = new Map<NameWord, WordMatches>();
  return {
    names,
    bitsOf: (id) => bits[id] ?? 0,
    totalOf: (name) => totals[name] ?? 0,
    namesWith: (id) => postings[id] ?? [],
    find(word) {
      const known = kept.get(word);
      if (known !== undefined) return known;
      if (kept.size >= mostKept) kept.clear();
      const found = { words: findWords(word, vocabulary, words), spans: findSpans(word, names, spans) };
      kept.set(word, found);
      return found;
    },
  };
}

function collect(entries: readonly ListEntry[]) {
  const ids = new Map<NameWord, number>();
  const vocabulary: NameWord[] = [];
  const postings: number[][] = [];
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
      for (const reading of readings) {
        const wordIds = reading.words.map(idOf);
        const name = names.push({ ...reading, entry, text, isWeak, wordIds }) - 1;
        for (const id of new Set(wordIds)) {
          const own = postings[id];
          if (own === undefined) postings[id] = [name];
          else own.push(name);
        }
      }
    }
  }
  return { names, vocabulary, postings };
}

function indexWords(vocabulary: readonly NameWord[]): KeyIndex {
  const index = makeKeyIndex();
  for (const [id, word] of vocabulary.entries()) for (const key of keysOf(word)) index.add(key, id);
  return index.build();
}

/** Two words that are alike have a key in common. */
function keysOf({ forms, groups, text, chinese, korean }: NameWord): Set<string> {
  const keys = new Set<string>(groups.map((group) => `#${group}`));
  if (text.length === 1) return keys.add(`=${text}`);
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
      const first = consonants.length < 5 ? firstOf(skeleton) : "";
      keys.add(`d${first}${consonants}`);
      if (consonants.length < 4 && coarse.length <= 7) continue;
      for (const shorter of withoutOne(consonants)) keys.add(`d${first}${shorter}`);
    }
  }
  return keys;
}

/** What a word begins with: slips seldom hit it. */
const firstOf = (skeleton: string): string => (skeleton.startsWith("V") ? "V" : skeleton.charAt(1).replace("F", "P"));

function* withoutOne(text: string): Generator<string> {
  for (let index = 0; index < text.length; index++) yield text.slice(0, index) + text.slice(index + 1);
}

function findWords(word: NameWord, vocabulary: readonly NameWord[], index: KeyIndex): Map<number, WordMatch> {
  const found = new Map<number, WordMatch>();
  const seen = new Uint8Array(vocabulary.length);
  for (const key of keysOf(word)) {
    index.each(key, (id) => {
      if (seen[id] === 1) return;
      seen[id] = 1;
      const candidate = vocabulary[id];
      const match = candidate === undefined ? undefined : matchWords(word, candidate);
      if (match !== undefined && (match.likeness > 0 || match.system > 0)) found.set(id, match);
    });
  }
  return found;
}

/** Two and three neighbours as one word, and whole names of up to five. */
function indexSpans(names: readonly IndexedName[]): Map<string, number[]> {
  const spans = new Map<string, number[]>();
  const add = (sounds: string, name: number, start: number, length: number): void => {
    const [key] = spanKeysOf(sounds);
    if (key === undefined) return;
    const place = (name * widest + start) * widest + length;
    const own = spans.get(key);
    if (own === undefined) spans.set(key, [place]);
    else own.push(place);
  };
  for (const [name, { words, whole, hasParticles }] of names.entries()) {
    for (let start = 0; start < words.length; start++) {
      for (let length = 2; length <= 5 && start + length <= words.length; length++) {
        if (length > 3 && length < words.length) continue;
        add(joinedSounds(words.slice(start, start + length)), name, start, length);
      }
    }
    if (hasParticles) add(joinedSounds([whole]), name, 0, words.length);
  }
  return spans;
}

/** By consonants where there are enough of them, else by all sounds. */
function spanKeysOf(sounds: string): string[] {
  const skeletons = skeletonsOf(sounds);
  const isLong = (skeletons[0] ?? "").length >= 4;
  return isLong ? skeletons : sounds.length < 3 ? [] : [`c${coarseOf(sounds)}`];
}

function findSpans(
  word: NameWord,
  names: readonly IndexedName[],
  spans: ReadonlyMap<string, readonly number[]>,
): SpanMatch[] {
  const places = new Set<number>();
  for (const { sounds } of word.forms) {
    for (const key of spanKeysOf(sounds)) for (const place of spans.get(key) ?? []) places.add(place);
  }
  return [...places].flatMap((place) => {
    const [length, start, name] = [
      place % widest,
      Math.floor(place / widest) % widest,
      Math.floor(place / widest / widest),
    ];
    const listed = names[name]?.words.slice(start, start + length) ?? [];
    const all = length === names[name]?.words.length ? matchWords(word, nameWord(names[name].whole)) : undefined;
    const joined = matchWords(word, joinedWord(listed));
    const match = all !== undefined && all.likeness > joined.likeness ? all : joined;
    return match.likeness === 0 && match.system === 0 ? [] : [{ ...match, name, start, length }];
  });
}
