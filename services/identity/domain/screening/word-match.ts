import { distance } from "fastest-levenshtein";
import type { NameWord } from "./name-words";
import type { Form } from "./word-forms";
import { makeSoundTable, soundLikeness, tableLikeness } from "./word-likeness";

/** Similarity of two words. */
export interface WordMatch {
  likeness: number;
  /** The match is by spelling systems that merge many names, so it counts only if a birth date supports the entry as well. */
  system: number;
  /** The words are less similar than two spellings of one word can be by chance: the match counts only beside an equal birth date. */
  isFar: boolean;
  /** They agree letter by letter, or in pinyin. */
  isSame: boolean;
}

const none: WordMatch = { likeness: 0, system: 0, isFar: false, isSame: false };
const same: WordMatch = { likeness: 1, system: 1, isFar: false, isSame: true };
const spelling: WordMatch = { likeness: 0.99, system: 0.99, isFar: false, isSame: true };
const sameForm = 0.999;

/** Least similarity of words that are split differently, in the comparison of names. */
export const leastJoined = 0.85;
export const leastParted = 0.99;

/** Least similarity at which two words count as one without other support: short words have too many neighbours. */
const leastOf = (sounds: number): number => (sounds <= 3 ? 0.925 : sounds === 4 ? 0.91 : sounds === 5 ? 0.85 : 0.8);
/** Reduction of that similarity if a birth date agrees. */
const latitude = 0.12;

/**
 * Compares two words in each of their possible pronunciations. `isOpen` includes matches that count only beside a birth date; `measured` is
 * the similarity of their sounds if it is already known.
 */
export function matchWords(one: NameWord, other: NameWord, isOpen = true, measured?: number): WordMatch {
  if (one === other || one.text === other.text) return same;
  if (isSpelling(one, other)) return spelling;
  if (one.isInitial || other.isInitial) return none;
  const isConsonantal = one.isConsonantal !== other.isConsonantal;
  const sounds = Math.min(one.sounds.length, other.sounds.length);
  const least = isConsonantal ? 0.8 : leastOf(sounds);
  const floor = floorOf(isConsonantal, sounds, isOpen);
  let best = measured ?? bestForm(one, other, isConsonantal, floor);
  if (isInOneGroup(one, other)) {
    const near = Math.max(best, bestForm(one, other, isConsonantal, nearForms));
    const isFar = near < nearForms && !isConsonantal && !one.isStandIn && !other.isStandIn;
    return { likeness: Math.max(best, 0.9), system: 0, isFar, isSame: false };
  }
  if (best > 0) best = ofKnown(one, other, best);
  if (isConsonantal && best < sameForm && isOtherOrigin(one, other)) best = Math.max(0, best - 0.15);
  if (best < oneSlip && !isOtherKnown(one, other) && !isOfOtherSex(one, other) && isOneSlip(one.text, other.text))
    best = oneSlip;
  const system = looseLikeness(one, other);
  if (best < least && system === 0 && (best < floor || !isOpen)) return none;
  const isSame = isEqual(one.pinyin, other.text) || isEqual(other.pinyin, one.text);
  if (best >= least) return { likeness: best, system, isFar: false, isSame };
  return { likeness: best >= floor ? best : 0, system, isFar: true, isSame };
}

/** Scripts without vowels write the final `i` that turns a place or a given name into a family name. */
const isOfOrigin = ({ sounds }: Form): boolean => /[iy]$/.test(sounds);
const isOtherOrigin = (one: NameWord, other: NameWord): boolean =>
  !one.forms.some((form) => other.forms.some((facing) => isOfOrigin(form) === isOfOrigin(facing)));

/** Equivalent names; but Daniel is not Daniela. */
const isInOneGroup = (one: NameWord, other: NameWord): boolean =>
  one.groups.length > 0 &&
  one.groups.some((group) => other.groups.includes(group)) &&
  !(isOfOtherSex(one, other) && stemOf(one.sounds) === stemOf(other.sounds));
const stemOf = (sounds: string): string => sounds.replace(/[aeo]$/, "");
/** Forms of a name in two languages that are less similar count as two names, unless a birth date agrees. */
const nearForms = 0.72;

function floorOf(isConsonantal: boolean, sounds: number, isOpen: boolean): number {
  const least = isConsonantal ? 0.8 : leastOf(sounds);
  return isOpen ? Math.max(0.72, least - latitude) : Math.min(least, oneSlip);
}

function bestForm(one: NameWord, other: NameWord, isConsonantal: boolean, floor: number): number {
  let best = 0;
  for (let first = 0; first < one.forms.length; first++) {
    for (let second = 0; second < other.forms.length; second++) {
      const form = one.forms[first] as Form;
      const likeness = formLikeness(form, other.forms[second] as Form, isConsonantal, Math.max(floor, best));
      if (likeness > best) best = likeness;
    }
  }
  return best;
}

/** An error may separate letters that form one sound, so that more than one sound changes. */
export const oneSlip = 0.88;
const slipLetters = 7;
const isOneSlip = (one: string, other: string): boolean =>
  one.length >= slipLetters && one.charAt(0) === other.charAt(0) && isOneApart(one, other);

/** True for one letter inserted, removed or replaced, or two swapped neighbours. */
function isOneApart(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  const apart = distance(one, other);
  return apart === 1 || (apart === 2 && isSwapped(one, other));
}

/** True if one word may be the other with a typing error, given that everything else supports it. */
export const isSlip = (one: NameWord, other: NameWord): boolean =>
  Math.min(one.text.length, other.text.length) >= 5 &&
  !isOtherKnown(one, other) &&
  !isOfOtherSex(one, other) &&
  isOneApart(one.text, other.text);

function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  return one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
}

/** All words of a list, by their sounds. */
export interface Vocabulary {
  words: readonly NameWord[];
  /**
   * Returns the similarity of two words by their sounds; 0 below what could count, or `least`, and -1 if the letters have to be compared as
   * well.
   */
  measure(one: NameWord, id: number, isOpen: boolean, least: number): number;
}

/** Every word by the sounds of its forms. */
export function makeVocabulary(words: readonly NameWord[]): Vocabulary {
  const sounds = makeSoundTable();
  const firsts = new Int32Array(words.length + 1);
  for (const [id, { forms }] of words.entries()) {
    for (const form of forms) sounds.add(form.sounds);
    firsts[id + 1] = (firsts[id] ?? 0) + forms.length;
  }
  const table = sounds.build();
  const forms = words.flatMap((word) => word.forms);
  const masks = Uint16Array.from(forms, ({ mask }) => mask);
  const consonants = Uint8Array.from(forms, (form) => form.consonants);
  const limits = Float64Array.from(forms, ({ likeness }) => likeness);
  /** Numbers of sounds of the first form and of letters, and whether vowels may be missing, as bits. */
  const facts = Int32Array.from(
    words,
    ({ sounds: own, text, isConsonantal }) =>
      Math.min(127, own.length) | (Math.min(127, text.length) << 7) | (isConsonantal ? 1 << 14 : 0),
  );
  return {
    words,
    measure(one, id, isOpen, enough) {
      const fact = facts[id] as number;
      const letters = (fact >> 7) & 127;
      const apart = one.text.length - letters;
      const isConsonantal = one.isConsonantal !== fact >> 14 > 0;
      const floor = Math.max(enough, floorOf(isConsonantal, Math.min(one.sounds.length, fact & 127), isOpen));
      const end = firsts[id + 1] as number;
      let best = 0;
      for (let at = 0; at < one.forms.length; at++) {
        const form = one.forms[at] as Form;
        for (let place = firsts[id] as number; place < end; place++) {
          const limit = Math.min(form.likeness, limits[place] as number);
          const least = Math.max(floor, best);
          if (limit < least || countBits(form.mask ^ (masks[place] as number)) > mostApart) continue;
          const more = form.consonants - (consonants[place] as number);
          if (more > mostApart || more < -mostApart) continue;
          const likeness = limit * tableLikeness(form.measured, table, place, isConsonantal, least / limit);
          if (likeness > best) best = likeness;
        }
      }
      const isLong = letters >= slipLetters && one.text.length >= slipLetters && apart <= 1 && apart >= -1;
      return best === 0 && isLong ? -1 : best;
    },
  };
}

/** Two equivalent spellings of one Korean family name. */
const choi = new Set(["choe", "choi"]);

const isSpelling = (one: NameWord, other: NameWord): boolean =>
  one.spellings?.has(other.text) === true ||
  other.spellings?.has(one.text) === true ||
  (choi.has(one.text) && choi.has(other.text));

const isEqual = (one: string | undefined, other: string | undefined): boolean => one !== undefined && one === other;

const looseLikeness = (one: NameWord, other: NameWord): number =>
  isEqual(one.chinese, other.chinese) ? 0.9 : isEqual(one.korean, other.korean) ? 0.88 : 0;

/** Most classes of consonants that only one of two words has; one error makes two. */
const mostApart = 2;

function formLikeness(form: Form, facing: Form, isConsonantal: boolean, floor: number): number {
  if (countBits(form.mask ^ facing.mask) > mostApart) return 0;
  const consonants = form.consonants - facing.consonants;
  if (consonants > mostApart || consonants < -mostApart) return 0;
  const limit = Math.min(form.likeness, facing.likeness);
  if (limit < floor) return 0;
  const a = form.sounds.length;
  const b = facing.sounds.length;
  if (!isConsonantal && (a > b * 1.5 + 1 || b > a * 1.5 + 1)) return 0;
  return limit * soundLikeness(form.measured, facing.measured, isConsonantal, floor / limit);
}

function countBits(mask: number): number {
  let left = mask;
  let count = 0;
  for (; left !== 0; count++) left &= left - 1;
  return count;
}

/**
 * A difference of one letter that gives another well-known name makes a different name; so does an ending that distinguishes a woman from a
 * man.
 */
function ofKnown(one: NameWord, other: NameWord, likeness: number): number {
  if (one.isConsonantal || other.isConsonantal) return likeness;
  if (isVowelApart(one.text, other.text)) return Math.min(likeness, 0.55);
  if (likeness >= sameForm) return likeness;
  if (isOtherKnown(one, other) && likeness < knownApart) return Math.min(likeness, 0.55);
  return isOfOtherSex(one, other) ? Math.min(likeness, one.isKnown && other.isKnown ? 0.6 : 0.73) : likeness;
}

/** Names that differ in one vowel, each with its spellings, although elsewhere that vowel is written either way. */
const sides = new Map(
  "yoko youko yohko:yuko yuuko yuhko|yoji youji yohji:yuji yuuji yuhji|yoichi youichi yohichi:yuichi yuuichi yuhichi|ryo ryou ryoh:ryu ryuu ryuh|shoji shouji shohji:shuji shuuji shuhji|shoichi shouichi:shuichi shuuichi|tsoi:tsui"
    .split("|")
    .flatMap((pair, at) =>
      pair.split(":").flatMap((side, half) => side.split(" ").map((text) => [text, { at, half }] as const)),
    ),
);

function isVowelApart(one: string, other: string): boolean {
  const [own, facing] = [sides.get(one), sides.get(other)];
  return own !== undefined && own.at === facing?.at && own.half !== facing.half;
}

const isOtherKnown = (one: NameWord, other: NameWord): boolean =>
  one.isKnown && other.isKnown && !one.evens.some((even) => other.evens.includes(even));

/** Below this similarity, two well-known names are different names. */
const knownApart = 0.985;

/** A final `a` alone makes a name a woman's; in long names of India it varies with the spelling. */
const isOfOtherSex = (one: NameWord, other: NameWord): boolean =>
  one.ending !== undefined && other.ending !== undefined && one.ending !== other.ending && !isIndian(one, other);
const isIndian = (one: NameWord, other: NameWord): boolean =>
  one.text.length + other.text.length >= 17 && (isLonger(one.text, other.text) || isLonger(other.text, one.text));
const isLonger = (long: string, short: string): boolean =>
  (long === `${short}a` || long === `${short}ah`) && /(?:[^aeiou]h|ay|aj|nd|ry|rv)$/.test(short);

/** True if one is the first letter of the other. */
export function isInitialOf(initial: NameWord, whole: NameWord): boolean {
  if (!initial.isInitial || whole.text === "") return false;
  return whole.text.startsWith(initial.text) || whole.sounds.startsWith(initial.sounds);
}
