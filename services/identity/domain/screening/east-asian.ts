import { koreanFamilyNames } from "./hangul";

const initialsOfPinyin = "zh ch sh b p m f d t n l g k h j q x r z c s y w".split(" ");
/** Finals that may follow each initial; others follow none. */
const finalsAfter: Readonly<Record<string, string>> = {
  zh: "a ai an ang ao e ei en eng i ong ou u ua uai uan uang ui un uo",
  ch: "a ai an ang ao e en eng i ong ou u ua uai uan uang ui un uo",
  sh: "a ai an ang ao e ei en eng i ou u ua uai uan uang ui un uo",
  b: "a ai an ang ao ei en eng i ian iao ie in ing o u",
  p: "a ai an ang ao ei en eng i ian iao ie in ing o ou u",
  m: "a ai an ang ao e ei en eng i ian iao ie in ing iu o ou u",
  f: "a an ang ei en eng o ou u",
  d: "a ai an ang ao e ei en eng i ia ian iao ie ing iu ong ou u uan ui un uo",
  t: "a ai an ang ao e eng i ian iao ie ing ong ou u uan ui un uo",
  n: "a ai an ang ao e ei en eng i ian iang iao ie in ing iu ong ou u uan uo v ue",
  l: "a ai an ang ao e ei eng i ia ian iang iao ie in ing iu o ong ou u uan un uo v ue",
  g: "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
  k: "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
  h: "a ai an ang ao e ei en eng ong ou u ua uai uan uang ui un uo",
  j: "i ia ian iang iao ie in ing iong iu u uan ue un",
  q: "i ia ian iang iao ie in ing iong iu u uan ue un",
  x: "i ia ian iang iao ie in ing iong iu u uan ue un",
  r: "an ang ao e en eng i ong ou u uan ui un uo",
  z: "a ai an ang ao e ei en eng i ong ou u uan ui un uo",
  c: "a ai an ang ao e en eng i ong ou u uan ui un uo",
  s: "a ai an ang ao e en eng i ong ou u uan ui un uo",
  y: "a an ang ao e i in ing o ong ou u uan ue un",
  w: "a ai an ang ei en eng o u",
};
const bare = "a ai an ang ao e ei en er o ou".split(" ");

const pinyin: ReadonlySet<string> = new Set([
  ...bare,
  ...initialsOfPinyin.flatMap((initial) => (finalsAfter[initial] ?? "").split(" ").map((final) => initial + final)),
]);

const wadeInitials: Readonly<Record<string, string>> = {
  zh: "ch",
  ch: "ch'",
  j: "ch",
  q: "ch'",
  x: "hs",
  b: "p",
  p: "p'",
  d: "t",
  t: "t'",
  g: "k",
  k: "k'",
  z: "ts",
  c: "ts'",
  r: "j",
};
const wadeWhole: Readonly<Record<string, string>> = {
  zi: "tzu",
  ci: "tz'u",
  si: "ssu",
  ri: "jih",
  zhi: "chih",
  chi: "ch'ih",
  shi: "shih",
  e: "o",
  ge: "ko",
  ke: "k'o",
  he: "ho",
  yan: "yen",
  ye: "yeh",
  you: "yu",
  yong: "yung",
  yi: "i",
  er: "erh",
  xiong: "hsiung",
};

function wadeOf(syllable: string): string {
  const whole = wadeWhole[syllable];
  if (whole !== undefined) return whole;
  const initial = initialsOfPinyin.find((one) => syllable.startsWith(one)) ?? "";
  const final = syllable.slice(initial.length);
  const isSoft = "jqx".includes(initial) && initial !== "";
  const turned = isSoft
    ? final.replace(/^u/, "u").replace("ue", "ueh").replace("uan", "uan")
    : final.replace(/^uo$/, "ghkzcsr".includes(initial) && "gk".includes(initial) ? "uo" : "o");
  const wade = turned
    .replace(/ian$/, "ien")
    .replace(/ie$/, "ieh")
    .replace(/ong$/, "ung")
    .replace(/^ue$/, "ueh")
    .replace(/^ui$/, "gk".includes(initial) && initial !== "" ? "uei" : "ui")
    .replace(/iong$/, "iung");
  return (wadeInitials[initial] ?? initial) + wade;
}

/** Wade–Giles syllables as newspapers print them, without signs, with the pinyin that they can represent. */
const fromWade = new Map<string, string[]>();
for (const syllable of pinyin) {
  const wade = wadeOf(syllable);
  const add = (text: string): unknown => fromWade.set(text, [...(fromWade.get(text) ?? []), syllable]);
  add(wade);
  if (wade.includes("'")) add(wade.replace("'", ""));
}
for (const [wade, syllable] of [
  ["tze", "zi"],
  ["tse", "ze"],
  ["szu", "si"],
  ["tieh", "die"],
  ["kuo", "guo"],
  ["mo", "mo"],
  ["lo", "luo"],
  ["no", "nuo"],
  ["to", "duo"],
  ["tso", "zuo"],
  ["cho", "zhuo"],
  ["jo", "ruo"],
  ["so", "suo"],
] as const) {
  fromWade.set(wade, [...new Set([...(fromWade.get(wade) ?? []), syllable])]);
}

/** Splits a word into syllables, preferring the longest; undefined when it does not consist of such syllables. */
function cut(word: string, isSyllable: (text: string) => boolean, longest: number): string[] | undefined {
  if (word === "") return [];
  for (let length = Math.min(longest, word.length); length > 0; length--) {
    const head = word.slice(0, length);
    const rest = isSyllable(head) ? cut(word.slice(length), isSyllable, longest) : undefined;
    if (rest !== undefined) return [head, ...rest];
  }
  return undefined;
}

function pinyinOf(word: string): string[] | undefined {
  return word.length > 24 ? undefined : cut(word.replaceAll("'", ""), (text) => pinyin.has(text), 6);
}

/**
 * Returns the sounds that the Wade–Giles and pinyin spellings of a Chinese word have in common, syllable by syllable; undefined for a word
 * without such syllables. It merges the sounds that Wade–Giles without its signs merges: zh, ch, j and q.
 */
export function looseChinese(word: string): string | undefined {
  const read = pinyinOf(word);
  const old = word.length > 24 ? undefined : cut(word, (text) => fromWade.has(text), 7);
  const syllables = read !== undefined && (old === undefined || old.length >= read.length) ? read : old;
  if (syllables === undefined || syllables.length === 0) return undefined;
  return syllables
    .map((syllable) =>
      wadeClass(pinyin.has(syllable) && !isWadeOnly(syllable) ? [syllable] : (fromWade.get(syllable) ?? [syllable])),
    )
    .join("");
}

const isWadeOnly = (syllable: string): boolean => !pinyin.has(syllable);

function wadeClass(readings: readonly string[]): string {
  const [first = ""] = readings;
  return wadeOf(first)
    .replaceAll("'", "")
    .replace(/^hs/, "s")
    .replace(/^tz?s?(?=u$)/, "ts");
}

/** Returns the pinyin of a word that can only be Wade–Giles, if only one reading is possible. */
export function certainPinyin(word: string): string | undefined {
  if (word.length > 24 || pinyinOf(word) !== undefined) return undefined;
  const syllables = cut(word, (text) => fromWade.has(text), 7);
  const readings = syllables?.map((syllable) => fromWade.get(syllable) ?? []);
  return readings?.every(({ length }) => length === 1) ? readings.flat().join("") : undefined;
}

const koreanSyllable =
  /^(kk|tt|pp|ss|jj|ch|sh|[gkndtrlmbpshjc])?(y?(?:eo|ae|oo|ou|u|a|o|e|i)|wa|wae|wo|weo|we|wi|oe|eu|ui|eui|ee|yi|woo|yoo|ai|ay|uh|ah|oh|oi|y)(ng|ck|k|g|n|l|r|m|p|b|t|d|h)?$/;

/** Returns the sounds that the spelling systems of a Korean word have in common; undefined for a word without such syllables. */
export function looseKorean(word: string): string | undefined {
  if (word.length > 16) return undefined;
  const whole = koreanFamilies[word];
  if (whole !== undefined) return whole;
  const syllables = cut(word, (text) => koreanSyllable.test(text), 7);
  return syllables === undefined || syllables.length === 0 || syllables.length > 3
    ? undefined
    : assimilated(syllables.map(koreanClass).join(""));
}

/** Sounds that change one another are written as spoken by some, as spelled by others. */
const assimilated = (sounds: string): string =>
  sounds
    .replaceAll(/k(?=[rnm])/g, "ng")
    .replaceAll(/p(?=[rnm])/g, "m")
    .replaceAll(/t(?=[rnm])/g, "n")
    .replaceAll(/(?<=ng|m)r/g, "n")
    .replaceAll(/nr|lr|ln/g, "l");

const koreanFamilies: Readonly<Record<string, string>> = {
  lee: "i",
  yi: "i",
  rhee: "i",
  ri: "i",
  li: "i",
  i: "i",
  park: "pak",
  bak: "pak",
  pak: "pak",
  choi: "choe",
  choe: "choe",
  chey: "choe",
  jung: "chong",
  jeong: "chong",
  chung: "chong",
  joung: "chong",
  lim: "im",
  im: "im",
  rim: "im",
  yim: "im",
  roh: "no",
  noh: "no",
  no: "no",
  ro: "no",
  yoo: "yu",
  yu: "yu",
  ryu: "yu",
  you: "yu",
  ryoo: "yu",
  lyu: "yu",
  yang: "yang",
  ryang: "yang",
  oh: "o",
  o: "o",
  woo: "u",
  u: "u",
  wu: "u",
  ahn: "an",
  an: "an",
  hur: "ho",
  heo: "ho",
  huh: "ho",
  seo: "so",
  suh: "so",
  cho: "cho",
  jo: "cho",
  joe: "cho",
  shim: "sim",
  sim: "sim",
  nam: "nam",
  ku: "ku",
  gu: "ku",
  koo: "ku",
  goo: "ku",
  ko: "ko",
  go: "ko",
  koh: "ko",
  kwon: "kwon",
  gwon: "kwon",
  kwak: "kwak",
  gwak: "kwak",
  ryeo: "yo",
  yeo: "yo",
  ra: "na",
  na: "na",
  la: "na",
};

const koreanClass = (syllable: string): string =>
  syllable
    .replace(/^sh/, "s")
    .replace(/^(?:kk|gg|g)/, "k")
    .replace(/^(?:tt|d)/, "t")
    .replace(/^(?:pp|b)/, "p")
    .replace(/^(?:jj|j|ch|c)/, "C")
    .replace(/^ss/, "s")
    .replace(/^[lr]/, "r")
    .replace(/ui$|eui$|yi$/, "i")
    .replace(/oo|ou/, "u")
    .replace(/uh/, "eo")
    .replace(/ee/, "i")
    .replace(/eo|eu/, "o")
    .replace(/u(?=[a-z])/, "o")
    .replace(/ae|ai|ay/, "e")
    .replace(/(ck|g(?<!ng))$/, "k")
    .replace(/r$/, "l")
    .replace(/b$/, "p")
    .replace(/[ds]$/, "t")
    .replace(/h$/, "");

/**
 * Converts a Korean name with the signs of McCune–Reischauer to the Revised Romanization, which keeps distinctions that the other makes
 * only by signs; returns any other name as it is.
 */
export function revised(name: string): string {
  const text = name.normalize("NFC");
  if (!/[ŏŭ]/iu.test(text)) return name;
  return text
    .toLowerCase()
    .replaceAll("ŏ", "eo")
    .replaceAll("ŭ", "eu")
    .replaceAll(
      /(?<![\p{L}'])(?:ch|[ktp])(?!['’ʻʼh])|(?<=[aeiou])(?:ch|[ktp])(?=[aeiouyw])/gu,
      (sound) => softOf[sound] ?? sound,
    )
    .replaceAll(/(?<=ch|[ktp])['’ʻʼ]/gu, "");
}
const softOf: Readonly<Record<string, string>> = { ch: "j", k: "g", t: "d", p: "b" };

const mora =
  /^(?:[kgsztdnhbpmr]?y?[aiueo]|dzu|sh[aiueo]|ch[aiueo]|j[aiueo]|ts[aiueo]|f[aiueo]|v[aiueo]|w[aio]|n(?![aiueoy])|m(?=[bpm])|([kstpc])(?=\1|ch))/;

/** Returns a Japanese word in Hepburn without long vowels; undefined for a word without such syllables. */
export function japaneseOf(word: string): string | undefined {
  let rest = word;
  const found: string[] = [];
  while (rest !== "") {
    const [sound] = mora.exec(rest) ?? (/^h(?=[kgsztdnbpmrfjcw]|$)/.test(rest) && found.length > 0 ? ["h"] : []);
    if (sound === undefined) return undefined;
    found.push(sound);
    rest = rest.slice(sound.length);
  }
  if (found.length < 2) return undefined;
  return found
    .map(
      (sound) =>
        hepburn[sound] ??
        sound
          .replace(/^[sz]y/, sound.startsWith("s") ? "sh" : "j")
          .replace(/^ty/, "ch")
          .replace(/^dy/, "j"),
    )
    .join("")
    .replaceAll(/ou|oo|oh(?![aiueo])/g, "o")
    .replaceAll("uu", "u")
    .replaceAll(/m(?=[bp])/g, "n");
}

const hepburn: Readonly<Record<string, string>> = {
  si: "shi",
  ti: "chi",
  tu: "tsu",
  hu: "fu",
  zi: "ji",
  dzu: "zu",
  h: "",
};

const vietnamese =
  "nguyen tran pham huynh phan vu vo dang bui do ngo duong dinh truong doan luong trinh thi van quang minh duc thanh tuan hung dung ha to vuong ta mai cao lam luu thai phung quach kieu chu khuc nghiem vi hoang le ly".split(
    " ",
  );
const vietnameseSyllable =
  /^(?:ngh?|nh|gh?|gi|kh|ph|th|tr|ch|qu|[bcdhklmnpqrstvx])?[aeiouy]{1,3}(?:ng|nh|ch|[cmnpt])?$/;
const families = new Set([
  ...Object.keys(koreanFamilies),
  ...koreanFamilyNames,
  ..."pang peng ruan nie miao ge geng qi kuang bi xin niu lei hong tu ai bian bing bo bu cen chai chang chi chu cong dang diao dou e fei fu gan gong guan gui hang heng hua ji jian jing ju kan ke lan lang le leng lian lou lv luan man mei mi mu nan ning ni nong pei ping pu qiao qu quan rao rong ruan sha shan shang sheng shuai si tai teng tong wen weng xi xian xiang xin xing xuan yong you yue zang zhan zhen zhi zhuang zhuo zu zuo ouyang sima zhuge shangguan huangfu gongsun".split(
    " ",
  ),
  ..."kim shin kang yoon yun jang hwang han hong jeon son moon bae baek chang zhang wang liu chen yang zhao huang zhou wu xu sun hu zhu gao lin he guo ma luo liang song zheng xie tang feng yu dong xiao cheng cao yuan deng xu fu shen zeng peng lu su lu jiang cai jia ding wei xue ye yan pan du dai xia zhong wang tian ren jiang fan fang shi yao tan liao zou xiong jin hao kong bai cui kang mao qiu qin jiang shi gu hou shao meng long wan duan qian tang yin li yi chang wu he chiang chao hsieh hsu tsai cheng teng tseng tsao kuo chou chu liao mao teng ou hui".split(
    " ",
  ),
  ...vietnamese,
]);

/** Spellings that hardly any other language has. */
const isTelling = (word: string): boolean =>
  (/zh|x[iu]|q[iu]/.test(word) && pinyinOf(word) !== undefined) ||
  (/^[^aeiou]*y?e[ou](?:ng|n|k|l|m|p)?$|^h[yw]|^ky|^gy/.test(word) && looseKorean(word) !== undefined);

/** True if a name reads like a Chinese, Korean or Vietnamese one: short syllables, and a family name from there. */
export function isEastAsian(words: readonly string[]): boolean {
  if (words.length < 2 || words.length > 5 || !words.some((word) => families.has(word) || isTelling(word)))
    return false;
  if (/\bva?o?n (?:de|den|der)\b/.test(words.join(" "))) return false;
  if (words.every((word) => japaneseOf(word) !== undefined && word.length >= 4 && !/[cs]he|[iu]an/.test(word)))
    return false;
  return words.every(
    (word) => vietnameseSyllable.test(word) || looseChinese(word) !== undefined || looseKorean(word) !== undefined,
  );
}
