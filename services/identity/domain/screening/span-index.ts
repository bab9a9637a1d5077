import { looseKorean } from "./east-asian";
import { makeKeyIndex } from "./key-index";
import {
  gluedOf,
  joinedSounds,
  joinedWord,
  koreanSpellings,
  type NameWord,
  type NameWords,
  nameWord,
} from "./name-words";
import { coarseOf, skeletonsOf } from "./phonetic";
import { makeSoundTable, tableLikeness } from "./word-likeness";
import { leastJoined, leastParted, matchWords, type WordMatch } from "./word-match";

/** Neighbouring words of a listed name that resemble one word of the query. */
export interface SpanMatch extends WordMatch {
  name: number;
  start: number;
  length: number;
}

/** Neighbouring words of all names, each group as one word. */
export interface SpanIndex {
  /** `isJoined`: the word is itself several words, which count only if hardly a sound differs. */
  find(word: NameWord, isOpen: boolean, isJoined: boolean): readonly SpanMatch[];
}

interface Span {
  name: number;
  start: number;
  length: number;
  /** Number of words after the others, like given names; -1 for the whole name with its particles. */
  turn: number;
  sounds: string;
}

/** Least similarity of the sounds of spans that match by a system of East Asian spelling. */
const leastBySystem = 0.72;

/** Joins two and three neighbours into one word, and whole names of up to five words. */
export function makeSpanIndex(names: readonly NameWords[]): SpanIndex {
  const keys = makeKeyIndex();
  const table = makeSoundTable();
  const rows: number[] = [];
  const traits: number[] = [];
  for (const [name, own] of names.entries()) {
    for (const { start, length, turn, sounds } of spansOf(own, name)) {
      const spanKeys = keysOf(sounds).slice(0, 1);
      const korean = own.isEastAsian
        ? looseKorean(
            turned(own.words, Math.max(0, turn))
              .slice(start, start + length)
              .map(({ text }) => text)
              .join(""),
          )
        : undefined;
      if (korean !== undefined) spanKeys.push(`k${korean}`);
      if (spanKeys.length === 0) continue;
      for (const key of spanKeys) keys.add(key, traits.length);
      table.add(sounds);
      const words = own.words.slice(start, start + length);
      rows.push(name);
      traits.push(start | (length << 8) | ((turn + 1) << 16) | (traitsOf(words) << 24));
    }
  }
  const index = keys.build();
  const sounds = table.build();
  const [namesOf, placesOf] = [Int32Array.from(rows), Int32Array.from(traits)];
  const stamps = new Uint32Array(rows.length);
  let stamp = 0;
  return {
    find(word, isOpen, isJoined) {
      stamp += 1;
      const found = new Map<number, SpanMatch>();
      const least = isJoined ? leastParted : isOpen && isAsian(word) ? leastBySystem : leastJoined;
      const visit = (row: number): void => {
        if (stamps[row] === stamp) return;
        stamps[row] = stamp;
        const place = placesOf[row] as number;
        const isSpelled = word.spellings !== undefined || (place >> 25) % 2 === 1;
        const isConsonantal = word.isConsonantal !== ((place >> 24) % 2 === 1);
        const isNear = (form: NameWord["forms"][number]): boolean =>
          tableLikeness(form.measured, sounds, row, isConsonantal, least) > 0;
        if (!isSpelled && !word.forms.some(isNear)) return;
        const name = namesOf[row] as number;
        const [start, length, turn] = [place & 255, (place >> 8) & 255, ((place >> 16) & 255) - 1];
        const own = names[name];
        if (own === undefined) return;
        const match = matchWords(word, wordOf(own, start, length, turn), isOpen);
        const key = (name * 16 + start) * 16 + length;
        if (Math.max(match.likeness, match.system) > (found.get(key)?.likeness ?? 0))
          found.set(key, { ...match, name, start, length });
      };
      if (word.korean !== undefined && !isJoined) index.each(`k${word.korean}`, visit);
      for (const form of word.forms) for (const key of keysOf(form.sounds)) index.each(key, visit);
      return [...found.values()];
    },
  };
}

const isAsian = ({ chinese, korean }: NameWord): boolean => chinese !== undefined || korean !== undefined;

/** One bit each: whether vowels may be missing, and whether there are Korean spellings. */
const traitsOf = (words: readonly NameWord[]): number =>
  (words.some(({ isConsonantal }) => isConsonantal) ? 1 : 0) +
  (words.every(({ spellings }) => spellings !== undefined) ? 2 : 0);

function* spansOf(own: NameWords, name: number): Generator<Span> {
  const { words, whole, hasParticles } = own;
  for (let start = 0; start < words.length; start++) {
    for (let length = 2; length <= 5 && start + length <= words.length; length++) {
      if (length > 3 && length < words.length) continue;
      const parts = words.slice(start, start + length);
      yield { name, start, length, turn: 0, sounds: joinedSounds(parts) };
      const glued = own.hasParticles ? gluedOf(parts, parts.map(({ text }) => text).join("")) : [];
      for (const text of [...koreanSpellings(parts).slice(1), ...glued])
        yield { name, start, length, turn: 0, sounds: joinedSounds([{ text }]) };
    }
  }
  const all = { name, start: 0, length: words.length };
  if (words.length >= 2 && words.length <= 4) {
    for (let turn = 1; turn < words.length; turn++) yield { ...all, turn, sounds: joinedSounds(turned(words, turn)) };
  }
  if (hasParticles) yield { ...all, turn: -1, sounds: joinedSounds([whole]) };
}

/** The words of a whole name with the last ones moved to the front, as with family names. */
const turned = (words: readonly NameWord[], turn: number): readonly NameWord[] =>
  turn === 0 ? words : [...words.slice(turn), ...words.slice(0, turn)];

const wordOf = ({ words, whole }: NameWords, start: number, length: number, turn: number): NameWord =>
  turn < 0 ? nameWord(whole) : joinedWord(turned(words.slice(start, start + length), turn));

/** Keys by consonants if there are enough of them, otherwise by all sounds. */
function keysOf(sounds: string): string[] {
  const skeletons = skeletonsOf(sounds);
  const isLong = (skeletons[0] ?? "").length >= 4;
  return isLong ? skeletons : sounds.length < 3 ? [] : [`c${coarseOf(sounds)}`];
}
