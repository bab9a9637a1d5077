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

/** One word of a name, as it is compared. */
export interface NameWord {
  text: string;
  /** Of its first form. */
  sounds: string;
  forms: readonly Form[];
  /** What spellings of a Chinese word have in common, and of a Korean one; too loose for the name alone. */
  chinese: string | undefined;
  korean: string | undefined;
  isConsonantal: boolean;
  isInitial: boolean;
  /** It is one sign of a script that has one for each syllable, so that several words together are another. */
  isSign: boolean;
  /** How much it says that two names share this word, in bits, for all that is known without a list. */
  bits: number;
  /** Names that stand for each other have a group in common. */
  groups: readonly number[];
  /** It is a short form or a pet name: it stands for any other of its group. */
  isStandIn: boolean;
  /** Whether it ends in an `a`; undefined where that is not known, or where it ends in an `e`, which many write for it. */
  ending: "a" | "other" | undefined;
  /** It is a name that many people have. */
  isKnown: boolean;
  /** What spellings of a well-known name have in common. */
  evens: readonly string[];
  /** The pinyin of a word that can be Wade–Giles alone. */
  pinyin: string | undefined;
  /** With the particles that stand in front of it, as `ulhaq` in `Zia ul-Haq`. */
  glued: string | undefined;
  /** Spellings of a Korean syllable, or of several: one of them is the word itself. */
  spellings: ReadonlySet<string> | undefined;
  /** What companies of all kinds are called by, such as trading. */
  generic: string | undefined;
}

/** A name as it is compared. */
export interface NameWords {
  words: readonly NameWord[];
  /** All of it as one word, with what stands between its parts. */
  whole: RomanWord;
  hasParticles: boolean;
  isEastAsian: boolean;
  /** A name in Chinese characters as the south spells it, which is for names in Latin letters alone. */
  isSouthern: boolean;
  /** Parted as a company's, or a person's. */
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

/** The word as it is compared; equal words are one object. */
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

/** How two words or more sound as one. */
export const joinedSounds = (words: readonly { text: string }[]): string =>
  soundsOf(spell(words.map(({ text }) => text).join("")));

/** Two words or more as one. */
export function joinedWord(words: readonly NameWord[]): NameWord {
  const isKorean = words.every(({ spellings }) => spellings !== undefined);
  const plain = words.map((word) => word.text).join("");
  const [text = "", ...also] = isKorean ? joinedSpellings(words) : [plain, ...gluedOf(words, plain)];
  const isConsonantal = words.some((word) => word.isConsonantal);
  return nameWord({ text, isConsonantal, origin: isKorean ? "ko" : undefined, ...(also.length > 0 && { also }) });
}

/** Words as one with the particles between them, where there are such. */
export const gluedOf = (words: readonly Pick<NameWord, "text" | "glued">[], plain: string): string[] => {
  const glued = words.map((word, place) => (place === 0 ? word.text : (word.glued ?? word.text))).join("");
  return glued === plain ? [] : [glued];
};

const mostJoined = 200;

/** The likeliest first: what joins the first spellings of all. */
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

/** How neighbouring Korean syllables are written together; empty for other words. */
export const koreanSpellings = (words: readonly NameWord[]): string[] =>
  words.every(({ spellings }) => spellings !== undefined) ? joinedSpellings(words).slice(0, mostForms) : [];
const mostForms = 7;

const romanWords = (reading: string): RomanWord[] =>
  untitled(visibleWords(revised(reading))).flatMap((word, index) => {
    if (!word.startsWith(".")) return romanize(word, index === 0);
    return [{ text: `.${anyLatin(word.slice(1))}`, isConsonantal: false, origin: undefined }];
  });

/** Titles of other scripts, but not what would leave nothing. */
function untitled(words: readonly string[]): readonly string[] {
  const left = words.filter((word) => !nativeTitles.has(word));
  if (left.length === 0) return words;
  return left.length > 2 && nativeNameLikeTitles.has(left[0] ?? "") ? left.slice(1) : left;
}

const anyLatin = (word: string): string =>
  romanize(word, false)
    .map(({ text }) => text)
    .join("");

/** A name of a person, and of what is seen of it where its direction is overridden. Empty for what has no words. */
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

/** Long ones are known by their sounds, which spellings have in common. */
const legalSounds = new Set([...legalForms].filter((text) => text.length >= 6).map((text) => evenOf(soundsOf(text))));

function isLegalForm({ text }: RomanWord): boolean {
  const plain = text.replaceAll("'", "");
  return legalForms.has(plain) || (plain.length >= 6 && legalSounds.has(evenOf(soundsOf(plain))));
}

/** `MV Amber Star` is a ship, `MT` alone may be a company. */
const isShipPrefix = ({ text }: RomanWord, index: number, count: number): boolean =>
  index === 0 && count > 1 && shipPrefixes.has(text);

/** A name of a company, a vessel or anything else. */
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
 * The words without which it is another name, a bit each; none where words are compared in other ways as well, as initials and
 * the words of companies are.
 */
export function neededWords({ words, isEastAsian, isCompany }: NameWords): number {
  if (isCompany || words.some(({ isInitial }) => isInitial)) return 0;
  return words.reduce((needed, { text }, place) => needed | (isEastAsian || !particles.has(text) ? 1 << place : 0), 0);
}

/** What stands in front of a word, `de la` or `bin`, may be written together with it. */
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

/** `Abd al-Rahman` is one word, however it is parted. */
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
