import { cantoneseWords } from "./cantonese";
import { readingsOf, visibleWords } from "./clean-text";
import { commonNames } from "./common-names";
import { certainPinyin, isEastAsian, looseChinese, looseKorean, revised } from "./east-asian";
import { equalNames, standIns } from "./equal-names";
import { japaneseWords } from "./japanese";
import {
  genericOf,
  inEnglish,
  legalForms,
  nameLikeTitles,
  nativeNameLikeTitles,
  nativeTitles,
  particles,
  plainTitles,
  postNominals,
  shipPrefixes,
  titles,
} from "./name-tables";
import { evenOf, soundsOf } from "./phonetic";
import type { RomanWord } from "./roman-word";
import { romanize } from "./romanize";
import { type Form, formsOf, spell } from "./word-forms";

/** One word of a name, in the form for comparison. */
export interface NameWord {
  text: string;
  /** Value for its first form. */
  sounds: string;
  forms: readonly Form[];
  /** The common sounds of the spellings of a Chinese or Korean word; too loose for a match by name alone. */
  chinese: string | undefined;
  korean: string | undefined;
  isConsonantal: boolean;
  isInitial: boolean;
  /** True: it is one sign of a syllabic script, so that several words together form another word. */
  isSign: boolean;
  /** Information in two names sharing this word, in bits, as far as is known without a list. */
  bits: number;
  /** Equivalent names have a group in common. */
  groups: readonly number[];
  /** True: it is a short form or a pet name, equivalent to any other name of its group. */
  isStandIn: boolean;
  /** Whether it ends in an `a`; undefined if that is unknown, or if it ends in an `e`, which many write instead. */
  ending: "a" | "other" | undefined;
  /** True: many people have this name. */
  isKnown: boolean;
  /** The common part of the spellings of a well-known name. */
  evens: readonly string[];
  /** The pinyin of a word that can only be Wade–Giles. */
  pinyin: string | undefined;
  /** The word with the particles before it, as `ulhaq` in `Zia ul-Haq`. */
  glued: string | undefined;
  /** Spellings of a Korean syllable, or of several: one of them is the word itself. */
  spellings: ReadonlySet<string> | undefined;
  /** The generic word of companies that it is, such as trading. */
  generic: string | undefined;
}

/** A name in the form for comparison. */
export interface NameWords {
  words: readonly NameWord[];
  /** The whole name as one word, with what is between its parts. */
  whole: RomanWord;
  hasParticles: boolean;
  isEastAsian: boolean;
  /** A name in Chinese characters in southern spelling, compared only with names in Latin letters. */
  isSouthern: boolean;
  /** Split as the name of a company, or of a person. */
  isCompany: boolean;
}

const knownSounds = new Set<string>();
const groupsOfSounds = new Map<string, number[]>();
for (const word of commonNames.split(/\s+/)) knownSounds.add(evenOf(soundsOf(spell(word))));
for (const [group, line] of equalNames.trim().split("\n").entries()) {
  for (const word of line.split(" ")) {
    const sounds = evenOf(soundsOf(spell(romanize(word, false)[0]?.text ?? word)));
    knownSounds.add(sounds);
    groupsOfSounds.set(sounds, [...(groupsOfSounds.get(sounds) ?? []), group]);
  }
}

const standInSounds = new Set(
  standIns
    .trim()
    .split(/\s+/)
    .map((word) => evenOf(soundsOf(spell(word)))),
);

const kept = new Map<string, NameWord>();
const mostKept = 200_000;

/** Returns the word in the form for comparison; equal words are one object. */
export function nameWord(roman: RomanWord): NameWord {
  const key = `${roman.text}|${roman.isConsonantal ? 1 : 0}${roman.origin ?? ""}|${roman.also?.join() ?? ""}|${roman.glued ?? ""}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  if (kept.size >= mostKept) kept.clear();
  const forms = formsOf(roman);
  const text = roman.text.replaceAll("'", "");
  const sounds = forms[0]?.sounds ?? "";
  const evens = forms.map((form) => evenOf(form.sounds));
  const isKnown = evens.some((even) => knownSounds.has(even));
  const grouped = roman.also === undefined ? evens.slice(0, 1) : evens;
  const groups = [...new Set(grouped.flatMap((even) => groupsOfSounds.get(even) ?? []))];
  const isStandIn = standInSounds.has(evenOf(sounds));
  const generic = genericOf.get(text) ?? genericSounds.get(sounds);
  const isInitial = text.length === 1 && roman.origin === undefined && !roman.isConsonantal;
  const word: NameWord = {
    ...{
      text,
      sounds,
      forms,
      isConsonantal: roman.isConsonantal,
      isInitial,
      isSign: roman.origin !== undefined && /^[^aeiou]*[aeiou]+[^aeiou]*$/.test(text),
      groups,
      isStandIn,
      isKnown,
      evens,
      generic,
    },
    ending: roman.isConsonantal ? undefined : endingOf(forms),
    glued: roman.glued,
    chinese: roman.isConsonantal ? undefined : looseChinese(roman.text),
    korean: roman.isConsonantal ? undefined : looseKorean(text),
    pinyin: roman.isConsonantal ? undefined : certainPinyin(roman.text),
    spellings: roman.origin === "ko" && roman.also !== undefined ? new Set([text, ...roman.also]) : undefined,
    bits: bitsOf(text, sounds, isKnown, generic !== undefined, roman.origin),
  };
  kept.set(key, word);
  return word;
}

function endingOf(forms: readonly Form[]): "a" | "other" | undefined {
  if (forms.some(({ sounds }) => sounds.endsWith("e"))) return undefined;
  const count = forms.filter(({ sounds }) => sounds.endsWith("a")).length;
  return count === 0 ? "other" : count === forms.length ? "a" : undefined;
}

function bitsOf(
  text: string,
  sounds: string,
  isKnown: boolean,
  isGeneric: boolean,
  origin: RomanWord["origin"],
): number {
  if (origin === undefined && text.length === 1) return 1;
  if (origin === undefined && particles.has(text)) return 0.5;
  if (isGeneric) return 1;
  if (sounds.length <= 2) return 5;
  if (isKnown) return 6;
  return sounds.length === 3 ? 8 : 12;
}

/** Long generic words by their sounds. */
const genericSounds = new Map(
  [...genericOf].filter(([text]) => text.length >= 6).map(([text, first]) => [soundsOf(text), first] as const),
);

/** The sounds of two or more words as one. */
export const joinedSounds = (words: readonly { text: string }[]): string =>
  soundsOf(spell(words.map(({ text }) => text).join("")));

/** Joins two or more words into one. */
export function joinedWord(words: readonly NameWord[]): NameWord {
  const isKorean = words.every(({ spellings }) => spellings !== undefined);
  const plain = words.map((word) => word.text).join("");
  const [text = "", ...also] = isKorean ? joinedSpellings(words) : [plain, ...gluedOf(words, plain)];
  const isConsonantal = words.some((word) => word.isConsonantal);
  return nameWord({ text, isConsonantal, origin: isKorean ? "ko" : undefined, ...(also.length > 0 && { also }) });
}

/** Joins words into one with the particles between them, if there are any. */
export const gluedOf = (words: readonly Pick<NameWord, "text" | "glued">[], plain: string): string[] => {
  const glued = words.map((word, place) => (place === 0 ? word.text : (word.glued ?? word.text))).join("");
  return glued === plain ? [] : [glued];
};

const mostJoined = 200;

/** The likeliest first: that which joins the first spelling of each. */
const joinedSpellings = (words: readonly NameWord[]): string[] =>
  words
    .reduce<{ text: string; rank: number }[]>(
      (heads, { spellings }) =>
        heads
          .flatMap((head) =>
            [...(spellings ?? [])].map((tail, place) => ({ text: head.text + tail, rank: head.rank + place })),
          )
          .toSorted((one, other) => one.rank - other.rank)
          .slice(0, mostJoined),
      [{ text: "", rank: 0 }],
    )
    .map(({ text }) => text);

/** Spellings of neighbouring Korean syllables written together; empty for other words. */
export const koreanSpellings = (words: readonly NameWord[]): string[] =>
  words.every(({ spellings }) => spellings !== undefined) ? joinedSpellings(words).slice(0, mostForms) : [];
const mostForms = 7;

const romanWords = (reading: string): RomanWord[] =>
  untitled(visibleWords(revised(reading))).flatMap((word, index) => {
    if (!word.startsWith(".")) return romanize(word, index === 0);
    return [{ text: `.${anyLatin(word.slice(1))}`, isConsonantal: false, origin: undefined }];
  });

/** Removes titles of other scripts, unless nothing would remain. */
function untitled(words: readonly string[]): readonly string[] {
  const left = words.filter((word) => !nativeTitles.has(word));
  if (left.length === 0) return words;
  return left.length > 2 && nativeNameLikeTitles.has(left[0] ?? "") ? left.slice(1) : left;
}

const anyLatin = (word: string): string =>
  romanize(word, false)
    .map(({ text }) => text)
    .join("");

/** Reads the name of a person, and its visible form if its direction is overridden. Empty for a text without words. */
export const personNames = (name: string): NameWords[] =>
  readingsOf(name).flatMap((reading) => {
    const spelled = romanWords(reading).flatMap((word) => (word.text.startsWith(".") ? dottedWords(word) : [word]));
    return [...withWords(joinServants(withoutTitles(spelled)), false), ...namesOfElsewhere(reading)];
  });

/** `J.K.` is two initials, `M.D.` a degree. */
const dottedWords = (word: RomanWord): RomanWord[] => {
  const text = word.text.slice(1);
  return (postNominals.has(text) ? [text] : [...text]).map((own) => ({ ...word, text: own }));
};

const namesOfElsewhere = (reading: string): NameWords[] =>
  /\p{Script=Han}/u.test(reading)
    ? [
        ...withWords(japaneseWords(visibleWords(reading)), false),
        ...withWords(cantoneseWords(visibleWords(reading)), false).map((name) => ({ ...name, isSouthern: true })),
      ]
    : [];

/** Long words are recognised by their sounds, which their spellings have in common. */
const legalSounds = new Set([...legalForms].filter((text) => text.length >= 6).map((text) => evenOf(soundsOf(text))));

function isLegalForm({ text }: RomanWord): boolean {
  const plain = text.replaceAll("'", "");
  return legalForms.has(plain) || (plain.length >= 6 && legalSounds.has(evenOf(soundsOf(plain))));
}

/** `MV Amber Star` is a ship, `MT` alone may be a company. */
const isShipPrefix = ({ text }: RomanWord, index: number, count: number): boolean =>
  index === 0 && count > 1 && shipPrefixes.has(text);

/** Reads the name of a company, a vessel or anything else. */
export const companyNames = (name: string): NameWords[] =>
  readingsOf(name).flatMap((reading) => {
    const spelled = joinLetters(
      romanWords(inEnglish(reading)).map((word) => ({ ...word, text: word.text.replace(/^\./, "") })),
    );
    const own = spelled.filter((word, index) => !isLegalForm(word) && !isShipPrefix(word, index, spelled.length));
    return withWords(own.length > 0 ? own : spelled, true);
  });

function withWords(spelled: readonly RomanWord[], isCompany: boolean): NameWords[] {
  if (spelled.length === 0) return [];
  const texts = spelled.map(({ text }) => text);
  const isAsian = !isCompany && (spelled.some(({ origin }) => origin !== undefined) || isEastAsian(texts));
  const own = isAsian || isCompany ? spelled : withoutParticles(spelled);
  const words = (own.filter(({ text }) => text.length > 1).length >= 2 ? own : spelled).slice(0, 10).map(nameWord);
  const whole = {
    text: spelled.map(({ text }) => text).join(""),
    isConsonantal: spelled.some(({ isConsonantal }) => isConsonantal),
    origin: undefined,
  };
  return [
    { words, whole, hasParticles: words.length < spelled.length, isEastAsian: isAsian, isSouthern: false, isCompany },
  ];
}

/**
 * Returns the words without which it is a different name, one bit each; none if words are also compared in other ways, like initials and
 * the words of companies.
 */
export function neededWords({ words, isEastAsian, isCompany }: NameWords): number {
  if (isCompany || words.some(({ isInitial }) => isInitial)) return 0;
  return words.reduce((needed, { text }, place) => needed | (isEastAsian || !particles.has(text) ? 1 << place : 0), 0);
}

/** A prefix of a word, such as `de la` or `bin`, may be written together with it. */
function withoutParticles(spelled: readonly RomanWord[]): RomanWord[] {
  const left: RomanWord[] = [];
  let before = "";
  for (const [place, word] of spelled.entries()) {
    const isInitial = word.text.length === 1 && (left.length === 0 || place === spelled.length - 1);
    if (word.origin === undefined && particles.has(word.text) && !isInitial) {
      before += word.text;
      continue;
    }
    const glued = before === "" || word.origin !== undefined ? undefined : before + word.text;
    left.push(glued === undefined ? word : { ...word, also: [...(word.also ?? []), glued], glued });
    before = "";
  }
  return left;
}

function withoutTitles(words: readonly RomanWord[]): readonly RomanWord[] {
  const isTitle = ({ text, origin, isConsonantal }: RomanWord, index: number): boolean =>
    origin === undefined &&
    !isConsonantal &&
    titles.has(text) &&
    (text !== "md" || index > 0) &&
    (words.length > 2 ? index === 0 || !nameLikeTitles.has(text) : plainTitles.has(text));
  const isBehind = ({ text }: RomanWord, index: number): boolean =>
    index > 1 && index === words.length - 1 && postNominals.has(text);
  const left = words.filter((word, index) => !isTitle(word, index) && !isBehind(word, index));
  return left.length === 0 ? words : left;
}

const servant = /^abd(?:[aeou]?l|[aeou](?:[rsnztdl]|sh)?)?$/;
const standingAlone = new Set(["abdo", "abdu"]);

/** `Abd al-Rahman` is one word, however it is split. */
function joinServants(words: readonly RomanWord[]): readonly RomanWord[] {
  const joined: RomanWord[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) continue;
    const next = words[index + 1];
    const isArticle = next !== undefined && particles.has(next.text) && words[index + 2] !== undefined;
    const master = isArticle ? words[index + 2] : next;
    if (master === undefined || !servant.test(word.text) || standingAlone.has(word.text)) joined.push(word);
    else {
      const bare = master.isConsonantal ? master.text.replace(/^al(?=..)/, "") : master.text;
      const also = master.also?.map((text) => `abd${text}`);
      const whole = { text: `abd${bare}`, isConsonantal: master.isConsonantal, origin: undefined };
      joined.push(also === undefined ? whole : { ...whole, also });
      index += isArticle ? 2 : 1;
    }
  }
  return joined;
}

/** `A B C Trading` is `ABC Trading`. */
function joinLetters(words: readonly RomanWord[]): RomanWord[] {
  const joined: RomanWord[] = [];
  let isOpen = false;
  for (const word of words) {
    const isLetter = /^[a-z]$/.test(word.text);
    const last = joined.at(-1);
    if (isLetter && isOpen && last !== undefined) joined[joined.length - 1] = { ...last, text: last.text + word.text };
    else joined.push(word);
    isOpen = isLetter;
  }
  return joined;
}
