import type { Factor } from "./list-entry";
import type { IndexedName, NameIndex, WordMatches } from "./name-index";
import { particles, places } from "./name-tables";
import { joinedWord, type NameWord, type NameWords, nameWord, neededWords } from "./name-words";
import { isInitialOf, isSlip, leastJoined, leastParted, oneSlip, type WordMatch } from "./word-match";

/** One or more neighbouring words that are looked up as one, with their matches on the list. */
export interface AskedSpan {
  start: number;
  length: number;
  found: WordMatches;
}

export interface Asked extends NameWords {
  spans: readonly AskedSpan[];
  /** Words of the family name. */
  family: ReadonlySet<string>;
  /** Words without which a listed name is a different one, one bit each. */
  needed: number;
}

/** Similarity of the query and a listed name. */
export interface NameScore {
  points: number;
  /** Information in the common words, in bits. */
  bits: number;
  isComplete: boolean;
  factors: Factor[];
}

interface Pair {
  asked: number;
  askedLength: number;
  listed: number;
  listedLength: number;
  likeness: number;
  bits: number;
  isInitial?: boolean;
}

/** Support for an entry beside the name: none, a birth date that may be the same, or one that is the same. */
export type Support = "none" | "some" | "full";

export const everyPoint = 100;

/** Looks up every word of a name, and neighbouring words as one. `isOpen`: a birth date is known. */
export function askFor(name: NameWords, family: ReadonlySet<string>, index: NameIndex, isOpen: boolean): Asked {
  const { words } = name;
  const spans: AskedSpan[] = [];
  for (let start = 0; start < words.length; start++) {
    for (let length = 1; start + length <= words.length && length <= 5; length++) {
      if (length > 3 && length < words.length) continue;
      const own = words.slice(start, start + length);
      const [first] = own;
      if (first === undefined || (length > 1 && endsInInitial(own) && !name.isCompany)) continue;
      spans.push({ start, length, found: index.find(length === 1 ? first : joinedWord(own), isOpen, length > 1) });
    }
  }
  const all = { start: 0, length: words.length, found: index.find(nameWord(name.whole), isOpen, words.length > 1) };
  return { ...name, spans: name.hasParticles ? [...spans, all] : spans, family, needed: neededWords(name) };
}

const endsInInitial = (words: readonly NameWord[]): boolean =>
  words[0]?.isInitial === true || words.at(-1)?.isInitial === true;

/** Scores a listed name. Without support, for example by a birth date, loose similarities do not count. */
export function compareNames(
  asked: Asked,
  name: IndexedName,
  id: number,
  index: NameIndex,
  support: Support,
): NameScore {
  const isEastAsian = asked.isEastAsian && name.isEastAsian;
  const pairs = chosen(allPairs(asked, name, id, index, support));
  if (asked.isCompany || name.isCompany) pairs.push(...shortened(asked, name, pairs, index));
  if (asked.isCompany || support === "full") pairs.push(...slipped(asked, name, pairs, index));
  const bits = pairs.reduce((sum, pair) => sum + pair.bits * pair.likeness, 0);
  const all = pairs.reduce((sum, pair) => sum + pair.bits, 0);
  const [left, missed] = withoutInitials(
    leftOf(
      asked,
      pairs.map(({ asked: start, askedLength }) => [start, askedLength]),
    ),
    leftOf(
      name,
      pairs.map(({ listed, listedLength }) => [listed, listedLength]),
    ),
  );
  const isComplete = left.length === 0 && missed.length === 0;
  const factors: Factor[] = [{ factor: "name", points: everyPoint, listed: name.text }];
  const add = (factor: string, points: number, listed: string): void => {
    if (Math.abs(points) >= 0.05) factors.push({ factor, points: Math.round(points * 10) / 10, listed });
  };
  if (all === 0) return { points: 0, bits: 0, isComplete: false, factors: [] };
  const weakest = pairs.reduce((least, pair) => (pair.likeness < least.likeness ? pair : least));
  const inexact = (all - bits) / all;
  const far = pairs.reduce((sum, { bits: own, likeness }) => sum + own * Math.max(0, 0.88 - likeness), 0) / all;
  const inexactWords = pairs.filter(({ likeness, bits: own }) => likeness < 0.9 && own > 1.5).length;
  add("spelling", -inexact * 110 - far * 200 - Math.max(0, inexactWords - 1) * 6, textOf(name, weakest));
  const facts = { asked, name, pairs, left, missed, bits };
  const isConsonantal =
    asked.words.some((word) => word.isConsonantal) !== name.words.some((word) => word.isConsonantal);
  const hasInitial = pairs.some(({ isInitial }) => isInitial);
  const isOne = pairs.length === 1 && !isComplete;
  if (left.length > 0 && missed.length > 0) add("differing words", -conflict(left, missed, all), wordsOf(missed));
  else if (isOne && !asked.isCompany) add("single word", -singleWord(facts), textOf(name, weakest));
  else if (!isComplete) add("missing words", -missing(facts), wordsOf(missed));
  if (asked.isCompany) add("common words", -commonWords(facts), name.text);
  else if (!isComplete && !isOne) add("common words", -commonBeside(facts, isConsonantal), name.text);
  else if (inexact > 0.005)
    add("common words", -Math.max(0, (hasInitial ? 14 : isConsonantal ? 13 : 11) - bits) * 3, name.text);
  if (isEastAsian && new Set(name.wordIds).size === name.words.length && !isTurned(pairs))
    add("order of syllables", -30, name.text);
  if (name.isWeak) add("weak alias", name.words.length === 1 ? -25 : -6, name.text);
  return { points: factors.reduce((sum, { points }) => sum + points, 0), bits, isComplete, factors };
}

/** True if the syllables are in the same order, whether the family or the given name comes first. */
function isTurned(pairs: readonly Pair[]): boolean {
  const places = pairs.toSorted((one, other) => one.asked - other.asked).map(({ listed }) => listed);
  return places.filter((place, at) => place > (places[(at + 1) % places.length] ?? 0)).length <= 1;
}

const wordsOf = (words: readonly NameWord[]): string => words.map(({ text }) => text).join(" ");
const textOf = (name: IndexedName, { listed, listedLength }: Pair): string =>
  wordsOf(name.words.slice(listed, listed + listedLength));

/** Returns how much a match counts: East Asian names must match syllable by syllable, unless something supports the entry. */
function worthOf({ likeness, system, isFar, isSame }: WordMatch, isEastAsian: boolean, support: Support): number {
  const bySystem = support === "none" ? 0 : system;
  const isEnough = isEastAsian ? isSame || support === "full" : !isFar || support === "full";
  return Math.max(isEnough ? likeness : 0, bySystem);
}

function allPairs(asked: Asked, name: IndexedName, id: number, index: NameIndex, support: Support): Pair[] {
  const pairs: Pair[] = [];
  const isEastAsian = asked.isEastAsian && name.isEastAsian;
  for (const { start, length, found } of asked.spans) {
    for (const [place, wordId] of name.wordIds.entries()) {
      const match = found.words.get(wordId);
      const plain = match === undefined ? 0 : worthOf(match, isEastAsian, support);
      const isShort =
        Math.min(asked.words[start]?.sounds.length ?? 0, name.words[place]?.sounds.length ?? 0) <= shortWord;
      const likeness = isShort && support === "none" && length === 1 && !asked.isCompany ? doubted(plain) : plain;
      if (likeness < (length > 1 ? leastJoined : 0.01) || (length > 1 && name.words[place]?.isSign)) continue;
      const bits = evenBits(asked.words[start], name.words[place], index.bitsOf(wordId));
      pairs.push({ asked: start, askedLength: length, listed: place, listedLength: 1, likeness, bits });
    }
    for (const span of found.spans) {
      const likeness = span.name === id ? worthOf(span, isEastAsian, support) : 0;
      if (likeness < (length > 1 ? leastParted : leastJoined) || (length === 1 && asked.words[start]?.isSign)) continue;
      const own = name.wordIds.slice(span.start, span.start + span.length);
      const sum = own.reduce((bits, wordId) => bits + index.bitsOf(wordId), 0);
      const bits = joinedBits(asked.words.slice(start, start + length), wordsAt(name, span), sum);
      const place = { listed: span.start, listedLength: span.length };
      pairs.push({ asked: start, askedLength: length, ...place, likeness: likeness * 0.99, bits: Math.min(14, bits) });
    }
  }
  return [...pairs, ...initialPairs(asked, name)];
}

/** An initial supports each word that begins with it, but only a little. */
function initialPairs(asked: Asked, name: IndexedName): Pair[] {
  if (asked.isEastAsian || ![...asked.words, ...name.words].some(({ isInitial }) => isInitial)) return [];
  return asked.words.flatMap((word, place) =>
    name.words.flatMap((facing, listed) => {
      if (!isInitialOf(word, facing) && !isInitialOf(facing, word)) return [];
      const places = { asked: place, askedLength: 1, listed, listedLength: 1 };
      return [{ ...places, likeness: 0.96, bits: 1.5, isInitial: true }];
    }),
  );
}

/** A match of few consonants proves little, and so does an initial. */
function evenBits(asked: NameWord | undefined, listed: NameWord | undefined, bits: number): number {
  if (asked === undefined || listed === undefined) return bits;
  if (asked.isConsonantal === listed.isConsonantal) return bits;
  const sizeOf = ({ text, forms: [form] }: NameWord): number => Math.min(text.length, (form?.consonants ?? 0) + 2);
  return Math.min(bits, 2.2 * Math.min(sizeOf(asked), sizeOf(listed)));
}

const wordsAt = ({ words }: NameWords, { start, length }: { start: number; length: number }): readonly NameWord[] =>
  words.slice(start, start + length);

function joinedBits(asked: readonly NameWord[], listed: readonly NameWord[], bits: number): number {
  const isVowelless = (words: readonly NameWord[]): boolean => words.some(({ isConsonantal }) => isConsonantal);
  if (isVowelless(asked) === isVowelless(listed)) return bits;
  const sizeOf = (words: readonly NameWord[]): number =>
    words.reduce((sum, { forms }) => sum + (forms[0]?.consonants ?? 0), 0);
  return Math.min(bits, 2.2 * Math.min(sizeOf(asked), sizeOf(listed)));
}

/** A short word with a difference is more likely to be another word than a long one, if only the name supports the entry. */
const shortWord = 5;
const doubted = (likeness: number): number => (likeness >= 0.95 ? likeness : likeness - (0.95 - likeness) * 0.5);

/** Words that match one by one take precedence over several that match only together. */
const rankOf = ({ bits, likeness, askedLength, listedLength }: Pair): number =>
  bits * likeness ** 3 * (askedLength > 1 && listedLength > 1 ? 0.4 : 1);

/** The best pairs that share no word, one after the other. */
function chosen(pairs: readonly Pair[]): Pair[] {
  const taken: Pair[] = [];
  for (const pair of pairs.toSorted((one, other) => rankOf(other) - rankOf(one))) {
    if (taken.every((one) => isApart(one, pair))) taken.push(pair);
  }
  return taken;
}

const isApart = (one: Pair, other: Pair): boolean =>
  (one.asked + one.askedLength <= other.asked || other.asked + other.askedLength <= one.asked) &&
  (one.listed + one.listedLength <= other.listed || other.listed + other.listedLength <= one.listed);

function leftOf({ words, isEastAsian }: NameWords, taken: readonly (readonly [number, number])[]): NameWord[] {
  return words.filter(
    ({ text }, place) =>
      (isEastAsian || !particles.has(text)) &&
      taken.every(([start, length]) => place < start || place >= start + length),
  );
}

/** Initials on only one side do not count if everything else is found on both. */
function withoutInitials(
  left: readonly NameWord[],
  missed: readonly NameWord[],
): [readonly NameWord[], readonly NameWord[]] {
  const isSilent = (words: readonly NameWord[], others: readonly NameWord[]): boolean =>
    others.length === 0 && words.every(({ isInitial }) => isInitial);
  return isSilent(left, missed) || isSilent(missed, left) ? [[], []] : [left, missed];
}

/** Companies abbreviate words: words with the same beginning, and equivalent generic words, count as the same. */
function shortened(asked: Asked, name: IndexedName, pairs: readonly Pair[], index: NameIndex): Pair[] {
  const more: Pair[] = [];
  for (const [place, word] of asked.words.entries()) {
    for (const [listed, facing] of name.words.entries()) {
      const likeness = shortLikeness(word, facing);
      const pair = {
        asked: place,
        askedLength: 1,
        listed,
        listedLength: 1,
        likeness,
        bits: index.bitsOf(name.wordIds[listed] ?? -1),
      };
      if (likeness > 0 && [...pairs, ...more].every((one) => isApart(one, pair))) more.push(pair);
    }
  }
  return more;
}

function shortLikeness(one: NameWord, other: NameWord): number {
  if (one.generic !== undefined && one.generic === other.generic) return 0.98;
  const [short, long] = one.text.length < other.text.length ? [one, other] : [other, one];
  const isGeneric = long.generic !== undefined || short.text.length <= 4;
  return isGeneric && short.text.length >= 3 && long.text.startsWith(short.text) ? 0.9 : 0;
}

/** One typing error in a word of five letters or more, if the other words are the same and informative enough. */
function slipped(asked: Asked, name: IndexedName, pairs: readonly Pair[], index: NameIndex): Pair[] {
  const isCertain = pairs.some(({ bits, likeness }) => likeness >= 0.99 && bits >= 8);
  if (!isCertain || (asked.isEastAsian && name.isEastAsian)) return [];
  const more: Pair[] = [];
  for (const [place, word] of asked.words.entries()) {
    for (const [listed, facing] of name.words.entries()) {
      const places = { asked: place, askedLength: 1, listed, listedLength: 1 };
      const pair = { ...places, likeness: oneSlip, bits: index.bitsOf(name.wordIds[listed] ?? -1) };
      if (isSlip(word, facing) && [...pairs, ...more].every((one) => isApart(one, pair))) more.push(pair);
    }
  }
  return more;
}

const total = (words: readonly NameWord[]): number => words.reduce((sum, { bits }) => sum + bits, 0);

/** Least cost of words that differ on both sides. */
export const leastConflict = 24;

/** Cost of words that differ on both sides: a different given name outweighs two rare family names. */
function conflict(left: readonly NameWord[], missed: readonly NameWord[], all: number): number {
  const least = Math.min(total(left), total(missed));
  return leastConflict + 60 * (least / (all + least));
}

interface Facts {
  asked: Asked;
  name: IndexedName;
  pairs: readonly Pair[];
  left: readonly NameWord[];
  missed: readonly NameWord[];
  bits: number;
}

/** Words on only one side cost little: lists know more or fewer names of a person than a form has room for. */
function missing({ asked, left, missed }: Facts): number {
  const words = [...left, ...missed];
  if (!asked.isCompany) return Math.min(9, 3 * words.length);
  return words.reduce((sum, { generic, text }) => sum + (generic === undefined && !places.has(text) ? 16 : 4), 0);
}

/** One word out of several. It is enough if the list knows a person by one rare word, and that is the family name. */
function singleWord({ asked, name, pairs }: Facts): number {
  const [pair] = pairs;
  const word = pair && asked.words[pair.asked + pair.askedLength - 1];
  const isFamily = word !== undefined && asked.family.has(word.text);
  const isRare = pair !== undefined && pair.bits >= 10 && pair.likeness >= 0.95;
  return name.words.length === 1 && isFamily && isRare ? 6 : 45;
}

/**
 * Returns the deduction for common names with more words on one side. A person with the same first name and an additional father's, middle
 * or second family name may well be the same; a missing name in front usually means another person.
 */
function commonBeside({ asked, name, pairs, bits }: Facts, isConsonantal: boolean): number {
  const isFirst =
    !(asked.isEastAsian && name.isEastAsian) &&
    pairs.filter(({ isInitial }) => isInitial !== true).length > 1 &&
    pairs.some((pair) => firstOf(asked) === pair.asked && firstOf(name) === pair.listed);
  const more = isConsonantal ? 4 : 0;
  return isFirst ? Math.max(0, 12 + more / 2 - bits) * 3 : Math.max(0, 17 + more - bits) * 3.5;
}

/** Returns the position of a person's first word, after a name as father or mother of someone. */
const firstOf = ({ words }: NameWords): number => (words.length > 3 && parents.has(words[0]?.text ?? "") ? 2 : 0);
const parents = new Set(["abu", "abou", "abi", "umm", "oum"]);

/** Words that many companies have prove nothing, even together. */
function commonWords({ asked, name, pairs, left, missed, bits }: Facts): number {
  const isExact = left.length === 0 && missed.length === 0 && bits >= total(name.words) * 0.99;
  if (isExact) return 0;
  const own = pairs.reduce((sum, pair) => {
    const word = asked.words[pair.asked];
    return word?.generic === undefined ? sum + pair.bits * pair.likeness : sum;
  }, 0);
  return own >= 10 ? 0 : (10 - own) * 5;
}
