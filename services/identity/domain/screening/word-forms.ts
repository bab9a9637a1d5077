import { certainPinyin, japaneseOf } from "./east-asian";
import { consonantsOf, maskOf, soundsOf } from "./phonetic";
import type { RomanWord } from "./roman-word";
import { type Sounds, soundsToMeasure } from "./word-likeness";

/** One possible pronunciation of a word. */
export interface Form {
  sounds: string;
  measured: Sounds;
  /** Similarity to the word itself of a word that is found by this form. */
  likeness: number;
  /** Classes of its consonants, one bit each. */
  mask: number;
  /** Least number of its consonants. */
  consonants: number;
}

/** Names that are one in Arabic, however their parts are joined. */
export const spell = (text: string): string =>
  text
    .replace(/^abd[aeiou]?[lr]?(?=l+[aoe]h?$)/, "abd")
    .replace(/^abd[aeiou]?([lrsnztd]|sh)\1(?=[aeiou])/, "abd$1")
    .replace(/^abd[aeou]?l(?=[a-z]{3})/, "abd")
    .replace(/^abd[aeou](?=[^aeiou][a-z]{2})/, "abd")
    .replace(/^(?:[aeiou]d?d|[aeu]l)?d(?:i|ee|ie)nn?e?$/, "din")
    .replace(/(?<=^.{3,})(?:[aeiou]*d+|[aeiou]l?-?d)(?:e?[iy][eiy]*|ee)nn?e?$/, "din")
    .replace(/(?<=^.{3,})(?:[aou]?ll[aoe]h?|[aou]?l[aoe]h)$/, "la");

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
const mostForms = 7;

/** Returns the possible pronunciations of a word, the likeliest first. */
export function formsOf({ text, isConsonantal, origin, also = [] }: RomanWord): Form[] {
  const plain = text.replaceAll("'", "");
  const forms: Form[] = [formOf(plain, 1)];
  if (/.{2}[ae]ldin$/.test(plain)) forms.push(formOf(plain.replace(/din$/, "aldin"), 1));
  const others = origin === undefined ? also : text.length > longestSyllable ? also.slice(0, mostForms) : [];
  for (const other of others) forms.push(formOf(other.replaceAll("'", ""), 0.98));
  if (plain.includes("x")) forms.push(formOf(plain.replaceAll("x", "kh"), 0.95));
  if (plain.startsWith("x")) forms.push(formOf(plain.replace("x", "ks"), 0.95));
  if (/^[jyi]e[^aeiou]/.test(plain)) forms.push(formOf(plain.slice(1), 0.97));
  if (plain.startsWith("dz")) forms.push(formOf(plain.replace("dz", "ts"), 0.96));
  if (/[aeio]ev(?:a|ich|na)?$/.test(plain)) forms.push(formOf(plain.replace(/ev(?=(?:a|ich|na)?$)/, "yev"), 0.98));
  if (/[^aeiouy]ev$/.test(plain)) forms.push(formOf(plain.replace(/ev$/, "yov"), 0.95));
  if (/tj[aiou]/.test(plain)) forms.push(formOf(plain.replaceAll(/tj(?=[aiou])/g, "ch"), 0.97));
  if (/..enka$/.test(plain)) forms.push(formOf(plain.replace(/a$/, "o"), 0.97));
  if (/..enko$/.test(plain)) forms.push(formOf(plain.replace(/o$/, "a"), 0.97));
  if (/[gd]j[aeou]/.test(plain)) forms.push(formOf(plain.replaceAll(/(?<=[gd])j(?=[aeou])/g, "y"), 0.97));
  if (/[iy]j[^aeiouy]/.test(plain)) forms.push(formOf(plain.replaceAll(/(?<=[iy])j(?=[^aeiouy])/g, "zh"), 0.97));
  if (/^chel[vl]/.test(plain)) forms.push(formOf(plain.replace(/^ch/, "s"), 0.97));
  if (/^h[tp][aeiouwy]/.test(plain)) forms.push(formOf(plain.slice(1), 0.97));
  if (/[^aeiou]ow(?=d)/.test(plain)) forms.push(formOf(plain.replace(/(?<=[^aeiou])ow(?=d)/, "au"), 0.97));
  if (plain.length >= 5) {
    const greek = plain
      .replaceAll(/h(?=s$)/g, "i")
      .replaceAll(/(?<=[bdflmnrvz])h(?=[^aeiou]|$)/g, "i")
      .replaceAll(/gg|(?<=[aeiou])gk(?=[aeiou])/g, "ng")
      .replaceAll(/(?<=[ae])u(?=[aeiou])/g, "v")
      .replaceAll(/(?<=[^aou])w(?![eiou]|$)/g, "o")
      .replace(/^h(?=[^aeiouy])/, "i")
      .replaceAll(/nt(?=[aeiouyr])/g, "d")
      .replaceAll(/mp(?=[aeiouyrl])/g, "b");
    if (greek !== plain) forms.push(formOf(greek, 0.94));
    const bare =
      !isConsonantal && /^[ae]l(?!(?:bert|fred|fons|phons|vi|dar|mir)[a-z]*$)(?=[^aeiou']..)/.test(plain)
        ? plain.slice(2)
        : undefined;
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
