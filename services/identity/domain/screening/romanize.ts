import anyAscii from "any-ascii";
import { arabicNameOf } from "./arabic-names";
import { burmeseWords } from "./burmese";
import { ethiopicReadings } from "./ethiopic";
import { hangulWords } from "./hangul";
import { khmerReadings } from "./khmer";
import type { RomanWord } from "./roman-word";
import { pairsOf } from "./sign-pairs";
import { thaiReadings } from "./thai";
import { thaanaReadings, voweledReadings } from "./voweled-arabic";

const arabic = pairsOf(
  "اa أa آa إi ٱa بb تt ثth جj حh خkh دd ذdh رr زz سs شsh صs ضd طt ظz ع غgh فf قq كk کk لl مm نn هh ةa وw يy یy ىa ئy ؤw ء پp چch ژzh گg ڤv ٹt ڈd ڑr ںn ھh ےe ہh ۀe ۃa ڭng ېe ەe ۆo ۇu ۈu ۋw ڕr ڵl ێe",
);
const hebrew = pairsOf("גg דd זz חkh טt לl מm נn סs קk רr תt");
const greekPairs: readonly (readonly [RegExp, string])[] = [
  [/ου(?!\u0308)/g, "u"],
  [/^μπ|μπ$/g, "b"],
  [/μπ/g, "mb"],
  [/^ντ/g, "d"],
  [/^γκ/g, "g"],
  [/γκ|γγ/g, "ng"],
  [/γχ/g, "nch"],
  [/αι(?!\u0308)/g, "e"],
  [/(?:[εοu]|υ)ι(?!\u0308)/g, "i"],
  [/αυ(?=[θκξπστφχψ]|$)/g, "af"],
  [/ευ(?=[θκξπστφχψ]|$)/g, "ef"],
  [/αυ/g, "av"],
  [/ευ/g, "ev"],
  [/τζ/g, "tz"],
];
const greek = pairsOf("αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χkh ψps ωo");
const latinSigns = pairsOf(
  "čch ćch šsh śsh şsh șsh žzh źzh żzh ħh ḥh ḫkh ẖkh ġgh ğg ǧj ṯth ḏdh đd ðd þth øo æa œo ßss łl ñn țts ţts ıi əa ĵj ĝg ĉch ŝshch ŋng",
);

/** Signs of the Brahmic blocks by their place in the block, which all of them share. */
const brahmic = new Map(
  `5a 6a 7i 8i 9u 10u 11ri 14e 15e 16ai 18o 19o 20au 21k 22kh 23g 24gh 25n 26ch 27ch 28j 29jh 30n 31t 32th 33d 34dh 35n 36t 37th 38d 39dh 40n 41n 42p 43ph 44b 45bh 46m 47y 48r 49r 50l 51l 52l 53v 54sh 55sh 56s 57h 62a 63i 64i 65u 66u 67ri 70e 71e 72ai 74o 75o 76au 78t 88q 89kh 90g 91z 92r 93r 94f 95y 1n 2n 3 112n`
    .split(" ")
    .map((pair) => [Number.parseInt(pair, 10), pair.replace(/^\d+/, "")] as const),
);

/** Characters with another reading when they are a family name. */
const familyReadings = new Map(
  "曾zeng 单shan 單shan 翟zhai 仇qiu 解xie 查zha 区ou 區ou 盖ge 召shao 缪miao 繆miao 覃qin 尉yu 员yun 洗xian 秘bi 乐yue 樂yue 朴piao 种chong 郇xun 那na 宁ning 葛ge"
    .split(" ")
    .map((pair) => [pair.charAt(0), pair.slice(1)] as const),
);

/** Returns one word of any script in lower-case Latin letters; a Chinese or Korean one syllable by syllable. */
export function romanize(word: string, isFirst: boolean): RomanWord[] {
  if (/\p{Script=Han}/u.test(word)) return hanWords(word, isFirst);
  if (/\p{Script=Hangul}/u.test(word)) return hangulWords(word);
  if (/\p{Script=Myanmar}/u.test(word)) return burmeseWords(word);
  const [known, ...others] = /\p{Script=Arabic}/u.test(word) ? (arabicNameOf(word) ?? []) : [];
  if (known !== undefined) return [{ text: known, isConsonantal: false, origin: undefined, also: others }];
  const isConsonantal =
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}\p{Script=Lao}]/u.test(word) &&
    voweledReadings(word) === undefined;
  const [text = "", ...also] = readingsOf(word).map(bare).filter(isNew);
  return text === "" ? [] : [{ text, isConsonantal, origin: undefined, ...(also.length > 0 && { also }) }];
}

const bare = (spelled: string): string =>
  spelled
    .toLowerCase()
    .replaceAll(/[^a-z0-9']/g, "")
    .replaceAll(/^'+|'+$/g, "");
const isNew = (text: string, place: number, all: readonly string[]): boolean => all.indexOf(text) === place;

/** Returns the possible readings of a word in an alphabetic script, the likeliest first. */
function readingsOf(word: string): string[] {
  if (/\p{Script=Thaana}/u.test(word)) return thaanaReadings(word);
  if (/\p{Script=Arabic}/u.test(word)) return voweledReadings(word) ?? arabicReadings(word);
  if (/\p{Script=Hebrew}/u.test(word)) return hebrewReadings(word);
  if (/\p{Script=Thai}/u.test(word)) return withVoiced(thaiReadings(word).map(withVowels));
  if (/\p{Script=Khmer}/u.test(word)) return khmerReadings(word);
  if (/\p{Script=Ethiopic}/u.test(word)) return ethiopicReadings(word);
  if (/\p{Script=Lao}/u.test(word)) return withVoiced(thaiReadings(thaiOfLao(word)).map(withVowels));
  if (/\p{Script=Greek}/u.test(word)) {
    const text = greekText(word);
    const hard = text.replaceAll(/(?<=.)mb/g, "b").replaceAll(/(?<=.)nt(?=[aeiou])/g, "d");
    return [text, text.replace(/^gi(?=[aou])|^g(?=[ei])/, "y"), hard];
  }
  if (/[\u0d80-\u0dff]/u.test(word)) return [sinhala(word)];
  if (/[\u0900-\u0d7f]/u.test(word)) return brahmicReadings(word);
  const text = romanText(word);
  if (/^[ln]ve?$/.test(text)) return [text.replace("v", "u")];
  if (/[đђ]/iu.test(word)) return [text, romanText(word.replaceAll(/[đђ]/giu, "dj")), bareText(word)];
  if (/ё/iu.test(word)) return [text, romanText(word.replaceAll(/(?<=[жшчщ])ё/giu, "о").replaceAll(/ё/giu, "йо"))];
  if (/щ/iu.test(word)) return [text, romanText(word.replaceAll(/щ/giu, "шт"))];
  return /[čćšžћљњјџ]/iu.test(word) ? [text, bareText(word)] : [text];
}

/** Lao is written like Thai, with the signs at the same positions of its block, except for a few. */
const thaiOfLao = (word: string): string =>
  [...word.normalize("NFC")]
    .map((sign) => laoSigns.get(sign) ?? String.fromCodePoint((sign.codePointAt(0) ?? 0x80) - 0x80))
    .join("");
const laoSigns = new Map([..."ຊຍຢຽໜໝຼົ"].map((sign, at) => [sign, ["ซ", "ญ", "ย", "ีย", "น", "ม", "ล", ""][at] ?? ""]));

/** The Latin letters of the southern Slavs without diacritics, as they are written when these are not available. */
const bareText = (word: string): string =>
  anyAscii([...word.normalize("NFC")].map((letter) => bareSigns.get(letter) ?? letter).join(""));
const bareSigns = pairsOf("čc ćc šs žz đd ћc ђd љlj њnj јj џdz чc шs жz цc хh");

/** Between consonants, `w` and `y` of scripts without vowels are vowels; two equal consonants have a vowel between them. */
const voiced = (text: string): string => withVowels(text).replaceAll(/([^aeiouy])(?=\1)/g, "$1a");
/** Two equal consonants are pronounced as one, or have an unwritten vowel between them. */
const withVoiced = (texts: readonly string[]): string[] => [...texts, ...texts.map(voiced)].filter(isNew);
const withVowels = (text: string): string =>
  text
    .replaceAll(/(?<=[^aeiouvwy'])[vw](?=[^aeiouvwy']|$)/g, "u")
    .replaceAll(/(?<=[^aeiouvwy'])y(?=[^aeiouvwy']|$)/g, "i");

const syllables = (word: string, origin: "zh"): RomanWord[] =>
  (anyAscii(word.normalize("NFC")).match(/[A-Z]?[a-z]+/g) ?? []).map((text) => ({
    text: text.toLowerCase(),
    isConsonantal: false,
    origin,
  }));

/** Family names of two characters, which are one word. */
const longFamilies = new Set(
  "诸葛 諸葛 司马 司馬 司徒 司空 上官 欧阳 歐陽 皇甫 尉迟 尉遲 夏侯 东方 東方 公孙 公孫 慕容 令狐 轩辕 軒轅 长孙 長孫 宇文 呼延 端木 南宫 南宮 独孤 獨孤 淳于 濮阳 濮陽 澹台 澹臺 申屠 太史 万俟 萬俟 西门 西門 闻人 聞人 赫连 赫連 钟离 鍾離".split(
    " ",
  ),
);

/** Returns the syllables of Chinese characters; a family name of two is one word. */
function hanSyllables(part: string, isFirst: boolean): RomanWord[] {
  const words = syllables(part, "zh");
  const [one, other, ...given] = words;
  if (!isFirst || !longFamilies.has(part.slice(0, 2)) || one === undefined || other === undefined) return words;
  return [{ ...one, text: one.text + other.text }, ...given];
}

function hanWords(word: string, isFirst: boolean): RomanWord[] {
  const family = isFirst || word.length === 1 ? familyReadings.get(word.charAt(0)) : undefined;
  const parts = word.match(/\p{Script=Han}+|[\p{Script=Hiragana}\p{Script=Katakana}ー]+|[^\p{Script=Han}]+/gu) ?? [];
  const words = parts.flatMap((part, place) =>
    /\p{Script=Han}/u.test(part) ? hanSyllables(part, isFirst && place === 0) : romanize(part, false),
  );
  const [first, ...rest] = words;
  return family === undefined || first === undefined ? words : [{ ...first, text: family }, ...rest];
}

function romanText(word: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) return kana(word);
  const composed = word.normalize("NFC").replaceAll("ու", "u");
  return anyAscii([...composed].map((letter) => latinSigns.get(letter) ?? letter).join(""));
}

const stripMarks = (word: string): string => word.normalize("NFC").replaceAll(/\p{Mn}/gu, "");
const letters = (word: string, table: ReadonlyMap<string, string>): string =>
  [...word].map((letter) => table.get(letter) ?? anyAscii(letter)).join("");

const greekText = (word: string): string => {
  const plain = word.normalize("NFD").replaceAll(/[\u0300-\u0307\u0309-\u036f]/gu, "");
  return letters(
    greekPairs.reduce((text, [from, to]) => text.replaceAll(from, to), plain),
    greek,
  );
};

/** The article is left out, as in other scripts; Persian reads some letters in its own way. */
function arabicReadings(word: string): string[] {
  const plain = stripMarks(word.replaceAll(/[ىیي]\u0670/gu, "ا")).replaceAll("ـ", "");
  if (/^[ال]?ل?له$|^الله$/u.test(plain)) return ["allah"];
  const read = (text: string): string => voiced(letters(text.replace(/^عبد/u, "abd").replace(/^ع/u, "a"), arabic));
  const own = plain
    .replace(/^ال(?!له$)(?=.{2})/u, "")
    .replace(/^ذوال/u, "ذل")
    .replace(/(?<=..)الله$/u, "ullah")
    .replaceAll(/(?<=[دذزژسكکگت])(?=[هہ].)/gu, "ا");
  const eastern = own.replaceAll(/[ذضظ]/gu, "ز").replaceAll("ث", "س");
  const persian = eastern.replaceAll("و", "v").replaceAll("ق", "غ");
  return [own, plain, eastern, persian, own.replaceAll("ج", "گ"), own.replaceAll("نب", "مب")].filter(isNew).map(read);
}

const hebrewEnds = pairsOf("ךכ םמ ןנ ףפ ץצ");

/** Some letters are hard or soft, which usually depends on their position. */
function hebrewReadings(word: string): string[] {
  const plain = stripMarks(word)
    .replaceAll("ג'", "\u05f3")
    .replaceAll("צ'", "\u05f4")
    .replaceAll("ז'", "\u05f3")
    .replaceAll("'", "");
  const signs = [...plain].map((sign) => hebrewEnds.get(sign) ?? sign).join("");
  const likely = hebrewText(signs, undefined);
  return [likely, hebrewText(signs, "hard"), hebrewText(signs, "soft")].map((text) =>
    text.replaceAll(/([^aeiou])(?=\1)/g, "$1a"),
  );
}

function hebrewText(word: string, manner: "hard" | "soft" | undefined): string {
  const signs = [...word.replaceAll(/וו+/gu, "\u05f0").replaceAll(/(?<=.)יי+/gu, "\u05f1")];
  return signs.map((sign, place) => hebrewSign(sign, signs, place, manner)).join("");
}

function hebrewSign(
  sign: string,
  signs: readonly string[],
  place: number,
  manner: "hard" | "soft" | undefined,
): string {
  const [before, next] = [signs[place - 1] ?? "", signs[place + 1] ?? ""];
  const isLast = next === "";
  const isSoft = manner === undefined ? "ויאה".includes(before) || isLast : manner === "soft";
  if (sign === "ב") return before !== "" && isSoft ? "v" : "b";
  if (sign === "פ") return before !== "" && isSoft ? "f" : "p";
  if (sign === "כ") return before !== "" && manner !== "hard" ? "kh" : "k";
  if (sign === "ש") return manner === "hard" ? "s" : "sh";
  if (sign === "צ") return isLast && manner === "soft" ? "ch" : "ts";
  if (sign === "ו") return before === "" || (manner !== "hard" && next !== "" && "יאהע".includes(next)) ? "v" : "o";
  if (sign === "י") return before === "" ? "y" : "i";
  if (sign === "א") return manner !== "hard" && next !== "" && "וי".includes(next) ? "" : "a";
  if (sign === "ה") return isLast ? "a" : before !== "" && "דזטכסצקת".includes(before) ? "ah" : "h";
  const whole: Readonly<Record<string, string>> = {
    ע: "a",
    "\u05f0": "v",
    "\u05f1": "ei",
    "\u05f3": "j",
    "\u05f4": "ch",
  };
  return whole[sign] ?? hebrew.get(sign) ?? "";
}

/** Readings with every written short `a`, with those that are spoken, and with one at the end. */
function brahmicReadings(written: string): string[] {
  const word = plainSouthern(written);
  const signs = brahmicText(word).replace(/[a~]vu$/, "ao");
  const text = signs.replaceAll("~", "a");
  const spoken = signs.replaceAll(/(?<=[aeiou][^aeiou~]{1,3})~(?=[^aeiou~]+[aeiou~])/g, "").replaceAll("~", "a");
  const lippy = /[\u0980-\u09ff\u0b00-\u0b7f]/u.test(word) ? [text.replaceAll(/b(?!h)/g, "v")] : [];
  const hissing = /j(?!n)/.test(text) ? [text.replaceAll(/j(?!n)/g, "z")] : [];
  const open = /av$/.test(text) ? [text.replace(/v$/, "o")] : [];
  const also = [...hardOf(word, text), ...lippy, ...hissing, ...open];
  const soft = text.includes("jn") ? [text.replaceAll("jn", "gn"), text.replaceAll("jn", "gy")] : [];
  const closed = /^[^aeiou~]+~([^aeiou~])\1/.test(signs) ? [text.replace("a", "u")] : [];
  const turned = text.includes("ahe") ? [text.replaceAll("ahe", "eh")] : [];
  const northern = /^[\u0900-\u097f]/u.test(word) && text.startsWith("v") ? [text.replace("v", "b")] : [];
  const southern = southernReadings(word);
  const closing = /^[\u0a00-\u0a7f]/u.test(word) ? signs.replace(/^([bdgkpt]h?)~r/, "$1r").replaceAll("~", "a") : text;
  const ending = /[aeiou]$/.test(text) ? [] : [`${text}a`];
  return [text, spoken, ...also, ...soft, ...closed, closing, ...turned, ...northern, ...southern, ...ending];
}

/** Malayalam's vowelless consonants are treated like those with a virama; consonants that it and Tamil double are a different sound. */
const plainSouthern = (word: string): string =>
  [...word.normalize("NFC")]
    .map((sign) => bareConsonants.get(sign) ?? sign)
    .join("")
    .replaceAll("റ്റ", "ട്ട")
    .replaceAll("ന്റ", "ന്ട")
    .replaceAll("ற்ற", "ட்ர");
const bareConsonants = new Map([..."ൺൻർൽൾൿ"].map((sign, at) => [sign, `${"ണനരലളക".charAt(at)}്`]));

/** Malayalam writes `nj` as one letter; its `zh` and Tamil's are written `l` as well. */
function southernReadings(word: string): string[] {
  const texts = [
    /ഞ/u.test(word) ? brahmicText(word.replaceAll(/ഞ(?:്ഞ)?/gu, "ന്ജ")) : "",
    /[ழഴ]/u.test(word) ? brahmicText(word.replaceAll("ழ", "ஜ").replaceAll("ഴ", "ജ")).replaceAll("j", "zh") : "",
  ];
  return texts.filter((text) => text !== "").map((text) => text.replaceAll("~", "a"));
}

/** A consonant has an `a` of its own, `~`, unless a vowel sign or a virama follows, or the word ends. */
function brahmicText(word: string): string {
  const isBengali = /[\u0980-\u09ff]/u.test(word);
  const isTamil = /[\u0b80-\u0bff]/u.test(word);
  const places = [...word.normalize("NFC")].map((sign) => (sign.codePointAt(0) ?? 0) % 0x80);
  const signs = places.flatMap((place, at) => {
    const isDotted = places[at + 1] === nukta;
    if (place === nukta || (isBengali && place === nasal)) return [];
    if (isDotted && dotted.has(place)) return [dotted.get(place) ?? place];
    if (isBengali && place === ya) return [isDotted || places[at - 1] === virama ? ya : ja];
    return [isTamil && place === cha ? sa : place];
  });
  const spelled = signs.reduce((text, place, index) => {
    const isConsonant = (place >= 21 && place <= 57) || (place >= 88 && place <= 95);
    const next = signs[index + 1];
    const isBare = next !== undefined && !(next >= 62 && next <= 77);
    return text + (brahmic.get(place) ?? "") + (isConsonant && isBare ? "~" : "");
  }, "");
  return spelled;
}

/** The `r` with a dot of Hindi and Odia is often written `d`. */
function hardOf(word: string, text: string): string[] {
  const plain = word.normalize("NFC").replaceAll(/(?<=[\u0921\u0922])\u093c|(?<=[\u0b21\u0b22])\u0b3c/gu, "");
  return plain === word.normalize("NFC") ? [] : [brahmicText(plain).replaceAll("~", "a")].filter((own) => own !== text);
}

/** A dot below changes the sound of some letters. */
const [nukta, virama] = [60, 77];
const nasal = 1;
const dotted = new Map([
  [21, 88],
  [22, 89],
  [23, 90],
  [28, 91],
  [33, 92],
  [34, 93],
  [43, 94],
  [56, 54],
]);

/** Bengali reads `ya` as `ja`, Tamil `cha` as `sa`. */
const [ya, ja, cha, sa] = [47, 28, 26, 56];

const sinhalaSigns = pairsOf(
  "අa ආa ඇa ඈa ඉi ඊi උu ඌu ඍri එe ඒe ඓai ඔo ඕo ඖau කk ඛkh ගg ඝgh ඞn ඟng චch ඡch ජj ඣj ඤn ඥgn ඦnj ටt ඨth ඩd ඪdh ණn ඬnd තth ථth දd ධdh නn ඳnd පp ඵph බb භbh මm ඹmb යy රr ලl වv ශsh ෂsh සs හh ළl ෆf ාa ැe ෑe ිi ීi ුu ූu ෘru ෙe ේe ෛai ොo ෝo ෞau ංn",
);

/** A consonant has an `a` of its own unless a vowel sign or a virama follows. */
function sinhala(word: string): string {
  const signs = [...word.normalize("NFC")];
  return signs
    .map((sign, place) => {
      const isConsonant = sign >= "ක" && sign <= "ෆ";
      const isBare = isConsonant && !/[\u0dca-\u0ddf]/u.test(signs[place + 1] ?? "");
      return (sinhalaSigns.get(sign) ?? "") + (isBare ? "a" : "");
    })
    .join("");
}

const smallKana = "ゃゅょぁぃぅぇぉ";

/** Hepburn, with long vowels as they are written. */
function kana(word: string): string {
  const signs = [...word.normalize("NFC")].map((sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - 0x60) : sign;
  });
  return signs.reduce((text, sign, index) => {
    if (sign === "ー") return text;
    if (sign === "っ") return text + (anyAscii(signs[index + 1] ?? "").charAt(0) || "");
    const sound = anyAscii(sign);
    if (!smallKana.includes(sign) || !/[iueo]$/.test(text)) return text + sound;
    if (!sound.startsWith("y")) return text.slice(0, -1) + sound;
    return text.slice(0, -1) + (/(?:sh|ch|j)i$/.test(text) ? sound.slice(1) : sound);
  }, "");
}
