import { readingsOf, visibleWords } from "./clean-text";
import { commonNames } from "./common-names";
import { certainPinyin, isEastAsian, japaneseOf, looseChinese, looseKorean, revised } from "./east-asian";
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
  titles,
} from "./name-tables";
import { consonantsOf, evenOf, maskOf, soundsOf } from "./phonetic";
import type { RomanWord } from "./roman-word";
import { romanize } from "./romanize";
import { type Sounds, soundsToMeasure } from "./word-likeness";

/** One way in which a word may sound. */
export interface Form {
  sounds: string;
  measured: Sounds;
  /** How much a word that is found by this form is like the word itself. */
  likeness: number;
  /** Classes of its consonants, a bit each. */
  mask: number;
  /** How many consonants it has at least. */
  consonants: number;
}

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
  /** Parted as a company's, or a person's. */
  isCompany: boolean;
}

const spell = (text: string): string =>
  text
    .replace(/^abd[aeiou]?[lr]?(?=l+[aoe]h?$)/, "abd")
    .replace(/^abd[aeiou]?([lrsnztd]|sh)\1(?=[aeiou])/, "abd$1")
    .replace(/^abd[aeou]?l(?=[a-z]{3})/, "abd")
    .replace(/^abd[aeou](?=[^aeiou][a-z]{2})/, "abd")
    .replace(/(?<=^.{3,})(?:[aeiou]*d+|[aeiou]l?-?d)(?:e?[iy][eiy]*|ee)nn?e?$/, "din")
    .replace(/(?<=^.{3,})(?:[aou]?ll[aoe]h?|[aou]?l[aoe]h)$/, "la");

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

const formOf = (text: string, likeness: number): Form => {
  const sounds = soundsOf(spell(text));
  return {
    sounds,
    likeness,
    measured: soundsToMeasure(sounds),
    mask: maskOf(sounds),
    consonants: consonantsOf(sounds),
  };
};

/** Korean syllables are not longer. */
const longestSyllable = 7;

function formsOf({ text, isConsonantal, origin, also = [] }: RomanWord): Form[] {
  const plain = text.replaceAll("'", "");
  const forms: Form[] = [formOf(plain, 1)];
  const others = origin === undefined ? also : text.length > longestSyllable ? also.slice(0, mostForms) : [];
  for (const other of others) forms.push(formOf(other.replaceAll("'", ""), 0.98));
  if (plain.includes("x")) forms.push(formOf(plain.replaceAll("x", "kh"), 0.95));
  if (plain.startsWith("x")) forms.push(formOf(plain.replace("x", "ks"), 0.95));
  if (/^[jyi]e[^aeiou]/.test(plain)) forms.push(formOf(plain.slice(1), 0.97));
  if (plain.startsWith("dz")) forms.push(formOf(plain.replace("dz", "ts"), 0.96));
  if (/[aeio]ev(?:a|ich|na)?$/.test(plain)) forms.push(formOf(plain.replace(/ev(?=(?:a|ich|na)?$)/, "yev"), 0.98));
  if (/..enka$/.test(plain)) forms.push(formOf(plain.replace(/a$/, "o"), 0.97));
  if (/..enko$/.test(plain)) forms.push(formOf(plain.replace(/o$/, "a"), 0.97));
  if (/[^aeiou]ow(?=d)/.test(plain)) forms.push(formOf(plain.replace(/(?<=[^aeiou])ow(?=d)/, "au"), 0.97));
  if (plain.length >= 5) {
    const greek = plain
      .replaceAll(/h(?=s$)/g, "i")
      .replaceAll(/(?<=[bdflmnrvz])h(?=[^aeiou]|$)/g, "i")
      .replaceAll("gg", "ng")
      .replaceAll(/(?<=[ae])u(?=[aeiou])/g, "v")
      .replaceAll(/(?<=[^aou])w(?![eiou]|$)/g, "o")
      .replace(/^h(?=[^aeiouy])/, "i")
      .replaceAll(/nt(?=[aeiouy])/g, "d")
      .replaceAll(/mp(?=[aeiouy])/g, "b");
    if (greek !== plain) forms.push(formOf(greek, 0.94));
    const bare = !isConsonantal && /^[ae]l(?=[^aeiou']..)/.test(plain) ? plain.slice(2) : undefined;
    const assimilated = isConsonantal ? null : /^[ae](sh|th|dh|[tdrznsjk])\1/.exec(plain);
    if (bare !== undefined) forms.push(formOf(bare, 0.96));
    if (assimilated !== null) forms.push(formOf(plain.slice(1 + (assimilated[1] ?? "").length), 0.96));
    if (/[ae]i(?=[^aeiouy])/.test(plain)) forms.push(formOf(plain.replaceAll(/[ae]i(?=[^aeiouy])/g, "e"), 0.95));
    if (/(?<!t)ch/.test(plain)) forms.push(formOf(plain.replaceAll(/(?<!t)ch/g, "kh"), 0.97));
    if (/[ei]nder$/.test(plain)) forms.push(formOf(plain.replace(/der$/, "dra"), 0.97));
    if (plain.includes("rn")) forms.push(formOf(plain.replaceAll("rn", "m"), 0.92));
    if (/^mc(?=[a-z]{3})/.test(plain)) forms.push(formOf(plain.replace(/^mc/, "mac"), 0.98));
    if (text.startsWith("o'")) forms.push(formOf(plain.slice(1), 0.95));
  }
  const japanese = origin === undefined && !isConsonantal ? japaneseOf(plain) : undefined;
  if (japanese !== undefined && japanese !== plain) forms.push(formOf(japanese, 0.97));
  const pinyin = isConsonantal ? undefined : certainPinyin(text);
  if (pinyin !== undefined) forms.push(formOf(pinyin, 0.95));
  const seen = new Set<string>();
  return forms.filter(({ sounds }) => sounds !== "" && !seen.has(sounds) && seen.add(sounds));
}

const kept = new Map<string, NameWord>();
const mostKept = 200_000;

/** The word as it is compared; equal words are one object. */
export function nameWord(roman: RomanWord): NameWord {
  const key = `${roman.text}|${roman.isConsonantal ? 1 : 0}${roman.origin ?? ""}|${roman.also?.join() ?? ""}`;
  const found = kept.get(key);
  if (found !== undefined) return found;
  if (kept.size >= mostKept) kept.clear();
  const forms = formsOf(roman);
  const text = roman.text.replaceAll("'", "");
  const sounds = forms[0]?.sounds ?? "";
  const evens = forms.map((form) => evenOf(form.sounds));
  const isKnown = evens.some((even) => knownSounds.has(even));
  const groups = groupsOfSounds.get(evenOf(sounds)) ?? [];
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
      groups,
      isStandIn,
      isKnown,
      evens,
      generic,
    },
    ending: roman.isConsonantal ? undefined : endingOf(forms),
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
  const [text = "", ...also] = isKorean ? joinedSpellings(words) : [words.map((word) => word.text).join("")];
  const isConsonantal = words.some((word) => word.isConsonantal);
  return nameWord({ text, isConsonantal, origin: isKorean ? "ko" : undefined, ...(also.length > 0 && { also }) });
}

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
    const spelled = romanWords(reading).flatMap((word) =>
      word.text.startsWith(".") ? [...word.text.slice(1)].map((text) => ({ ...word, text })) : [word],
    );
    return [...withWords(joinServants(withoutTitles(spelled)), false), ...japaneseNames(reading)];
  });

const japaneseNames = (reading: string): NameWords[] =>
  /\p{Script=Han}/u.test(reading) ? withWords(japaneseWords(visibleWords(reading)), false) : [];

/** Long ones are known by their sounds, which spellings have in common. */
const legalSounds = new Set([...legalForms].filter((text) => text.length >= 6).map((text) => evenOf(soundsOf(text))));

function isLegalForm({ text }: RomanWord): boolean {
  const plain = text.replaceAll("'", "");
  return legalForms.has(plain) || (plain.length >= 6 && legalSounds.has(evenOf(soundsOf(plain))));
}

/** A name of a company, a vessel or anything else. */
export const companyNames = (name: string): NameWords[] =>
  readingsOf(name).flatMap((reading) => {
    const spelled = joinLetters(
      romanWords(inEnglish(reading)).map((word) => ({ ...word, text: word.text.replace(/^\./, "") })),
    );
    const own = spelled.filter((word) => !isLegalForm(word));
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
  return [{ words, whole, hasParticles: words.length < spelled.length, isEastAsian: isAsian, isCompany }];
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
    const also = [...(word.also ?? []), ...(before === "" || word.origin !== undefined ? [] : [before + word.text])];
    left.push(also.length > 0 ? { ...word, also } : word);
    before = "";
  }
  return left;
}

function withoutTitles(words: readonly RomanWord[]): readonly RomanWord[] {
  const isTitle = ({ text, origin, isConsonantal }: RomanWord, index: number): boolean =>
    origin === undefined &&
    !isConsonantal &&
    titles.has(text) &&
    (words.length > 2 ? index === 0 || !nameLikeTitles.has(text) : plainTitles.has(text));
  const left = words.filter((word, index) => !isTitle(word, index));
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
