import Sanscript from "@indic-transliteration/sanscript";
import { RomanizationSystem, romanize } from "@romanize/korean";
import greekUtils from "greek-utils";
import { fromKana } from "hepburn";
import * as iuliia from "iuliia";
import { pinyin } from "pinyin-pro";

/** Transliterates another script to Latin letters; `pick` chooses one of several systems. */
export type Romanizer = (text: string, pick: <T>(options: readonly T[]) => T) => string;

const cyrillicSystems = [
  iuliia.ALA_LC,
  iuliia.BGN_PCGN,
  iuliia.BS_2979,
  iuliia.GOST_16876,
  iuliia.GOST_52290,
  iuliia.GOST_52535,
  iuliia.GOST_7034,
  iuliia.ICAO_DOC_9303,
  iuliia.MOSMETRO,
  iuliia.MVD_310_FR,
  iuliia.MVD_782,
  iuliia.SCIENTIFIC,
  iuliia.TELEGRAM,
  iuliia.UNGEGN_1987,
  iuliia.WIKIPEDIA,
  iuliia.YANDEX_MAPS,
];
const german = new Map(
  Object.entries({
    а: "a",
    б: "b",
    в: "w",
    г: "g",
    д: "d",
    е: "e",
    ё: "jo",
    ж: "sch",
    з: "s",
    и: "i",
    й: "i",
    к: "k",
    л: "l",
    м: "m",
    н: "n",
    о: "o",
    п: "p",
    р: "r",
    с: "s",
    т: "t",
    у: "u",
    ф: "f",
    х: "ch",
    ц: "z",
    ч: "tsch",
    ш: "sch",
    щ: "schtsch",
    ъ: "",
    ы: "y",
    ь: "",
    э: "e",
    ю: "ju",
    я: "ja",
    і: "i",
    ї: "ji",
    є: "je",
    ґ: "g",
  }),
);
const ukrainian = new Map(
  Object.entries({
    а: "a",
    б: "b",
    в: "v",
    г: "h",
    ґ: "g",
    д: "d",
    е: "e",
    є: "ie",
    ж: "zh",
    з: "z",
    и: "y",
    і: "i",
    ї: "i",
    й: "i",
    к: "k",
    л: "l",
    м: "m",
    н: "n",
    о: "o",
    п: "p",
    р: "r",
    с: "s",
    т: "t",
    у: "u",
    ф: "f",
    х: "kh",
    ц: "ts",
    ч: "ch",
    ш: "sh",
    щ: "shch",
    ь: "",
    ю: "iu",
    я: "ia",
    "'": "",
    "’": "",
  }),
);

export const capital = (text: string): string =>
  text.replaceAll(/(?<=^|[\s-])\p{L}/gu, (letter) => letter.toUpperCase());
const byTable = (text: string, table: ReadonlyMap<string, string>): string =>
  capital([...text.toLowerCase()].map((letter) => table.get(letter) ?? letter).join(""));

export const russian: Romanizer = (text, pick) =>
  pick([0, 1, 2, 3, 4, 5]) === 0 ? byTable(text, german) : iuliia.translate(text, pick(cyrillicSystems));
export const ukrainianLatin: Romanizer = (text, pick) =>
  pick([0, 1, 2]) === 0 ? byTable(text, german) : byTable(text, ukrainian);
export const greek: Romanizer = (text, pick) =>
  capital(pick([greekUtils.toGreeklish, greekUtils.toPhoneticLatin, greekUtils.toTransliteratedLatin])(text));
export const chinese: Romanizer = (text, pick) => {
  const [family = "", ...given] = pinyin(text, { toneType: "none", type: "array", surname: "head" });
  return capital(`${family} ${given.join(pick(["", "-", " "]))}`);
};
export const korean: Romanizer = (text, pick) => {
  const [family = "", ...given] = [...text.replaceAll(" ", "")];
  const system = pick([RomanizationSystem.REVISED, RomanizationSystem.MCCUNE]);
  const say = (syllable: string): string =>
    romanize(syllable, { system })
      .replace(/^c(?!h)/i, "ch")
      .normalize("NFC");
  return capital(`${say(family)} ${given.map(say).join(pick(["", "-", " "]))}`);
};

const kunrei: readonly (readonly [RegExp, string])[] = [
  [/sh(?=[auo])/g, "sy"],
  [/shi/g, "si"],
  [/ch(?=[auo])/g, "ty"],
  [/chi/g, "ti"],
  [/tsu/g, "tu"],
  [/fu/g, "hu"],
  [/j(?=[auo])/g, "zy"],
  [/ji/g, "zi"],
];
export const japanese: Romanizer = (text, pick) => {
  const plain = fromKana(text).toLowerCase();
  const system = pick(["hepburn", "short", "kunrei", "oh"]);
  if (system === "kunrei") return capital(kunrei.reduce((left, [from, to]) => left.replaceAll(from, to), plain));
  if (system === "hepburn") return capital(plain);
  return capital(plain.replaceAll(/ou|oo/g, system === "oh" ? "oh" : "o").replaceAll("uu", "u"));
};

const plainIndic = (text: string): string =>
  capital(
    text
      .normalize("NFD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll(/[^a-z\s-]/g, ""),
  );
export const indic: Romanizer = (text, pick) => {
  const spelled = Sanscript.t(text, "devanagari", "iast")
    .replaceAll("ś", "sh")
    .replaceAll("ṣ", "sh")
    .replaceAll(/c(?!h)/g, "ch");
  const bare = spelled.replaceAll(/(?<=[^aeiouāīū\s])a(?=\s|$)/gu, "");
  const plain = plainIndic(bare.replaceAll(/[ṅñṃṇ]/g, "n").replaceAll("ṛ", "ri"));
  return pick([plain, plain.replaceAll("v", "w"), plain.replaceAll("sh", "s"), plain.replaceAll(/i(?=\s|$)/g, "ee")]);
};
export const toBengali = (text: string): string => Sanscript.t(text, "devanagari", "bengali");
export const toGujarati = (text: string): string => Sanscript.t(text, "devanagari", "gujarati");

const armenianLetters =
  "աa բb գg դd եe զz էe ըy թt ժzh իi լl խkh ծts կk հh ձdz ղgh ճch մm յy նn շsh ոo չch պp ջj ռr սs վv տt րr ցts ւu փp քk օo ֆf";
const armenianTable = new Map(armenianLetters.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)] as const));
export const armenian: Romanizer = (text, pick) => {
  const plain = text.toLowerCase().replaceAll("ու", "u").replaceAll("և", "ev");
  const latin = byTable(plain, armenianTable);
  return pick([latin, latin.replaceAll("gh", "g"), latin.replaceAll("ts", "tz"), latin.replaceAll("kh", "x")]);
};
const georgianLetters =
  "აa ბb გg დd ეe ვv ზz თt იi კk ლl მm ნn ოo პp ჟzh რr სs ტt უu ფp ქk ღgh ყq შsh ჩch ცts ძdz წts ჭch ხkh ჯj ჰh";
const georgianTable = new Map(georgianLetters.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)] as const));
export const georgian: Romanizer = (text, pick) => {
  const latin = byTable(text, georgianTable);
  return pick([latin, latin.replaceAll("q", "k"), latin.replaceAll("kh", "x"), latin.replaceAll("gh", "g")]);
};
