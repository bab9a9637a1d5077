import type { RomanWord } from "./roman-word";

/** Spellings of each part of a syllable, by the Revised Romanization first, then as people write it. */
const initials = "g,k kk,gg n d,t tt,dd r,l,n m b,p pp,bb s,sh ss  j,ch jj ch k t p h"
  .split(" ")
  .map((part) => part.split(","));
const vowels =
  "a,ah ae,ai ya yae eo,u,o e,eh yeo,you,yu,yo ye o,oh wa wae oe,oi yo u,oo,woo wo,weo,won we wi,wee yu,yoo,you eu,u ui,eui,ee,i i,ee,yi"
    .split(" ")
    .map((part) => part.split(","));
const finals = " k,g,ck k k n n n t,d l,r k m l l l p l m p,b p t t ng t t k t p t"
  .split(" ")
  .map((part) => part.split(","));

/** Family names have spellings of their own; the commonest comes first. */
const families = new Map(
  `김 kim gim|이 lee yi rhee ri i|박 park pak bak|최 choi choe|정 jung jeong chung chong|강 kang gang|조 cho jo|윤 yoon yun
장 jang chang|임 lim im rim|한 han|오 oh o|서 seo suh so|신 shin sin|권 kwon gwon|황 hwang|안 ahn an|송 song|류 ryu yoo yu
유 yoo yu you ryu|전 jeon jun chon|홍 hong|고 ko go koh|문 moon mun|양 yang ryang|손 son sohn|배 bae pae|백 baek paik paek
허 heo hur huh ho|남 nam|심 shim sim|노 noh roh no ro|로 ro roh no|하 ha|곽 kwak gwak|성 sung seong song|차 cha|주 joo ju chu
우 woo u wu|구 koo gu ku goo|민 min|나 na ra|라 ra na|진 jin chin|지 ji chi|엄 um eom om|채 chae|원 won|천 cheon chun chon
방 bang pang|공 kong gong|현 hyun hyeon hyon|함 ham|변 byun byeon pyon|염 yeom yum ryom|여 yeo|추 choo chu|도 do to|소 so
석 seok suk sok|선 sun seon son|설 seol sul|마 ma|길 gil kil|연 yeon yun|위 wi|표 pyo|명 myung myeong myong|기 ki gi
반 ban pan|왕 wang|금 keum geum kum|옥 ok|육 yook|인 in|맹 maeng|제 je che|모 mo|탁 tak|국 kook guk kuk|리 ri lee|림 rim lim
량 ryang yang|려 ryo yeo|렴 ryom yeom|황보 hwangbo|남궁 namgung namkung|선우 sunwoo seonu|독고 dokgo|제갈 jegal`
    .split(/[|\n]/)
    .map((line) => {
      const [sign = "", ...spellings] = line.split(" ");
      return [sign, spellings] as const;
    }),
);

/** Family names of Korea in Latin letters. */
export const koreanFamilyNames: readonly string[] = [...families.values()].flat();

const firstSyllable = 0xac00;
const mostSpellings = 18;

/** Returns a Korean word syllable by syllable, each with its spellings. The first may be a family name. */
export function hangulWords(word: string): RomanWord[] {
  const text = word.normalize("NFC").replaceAll(/[^가-힣]/gu, "");
  const family = families.get(text.length > 3 ? text.slice(0, 2) : "") ?? families.get(text.charAt(0));
  const size = text.length > 3 && families.has(text.slice(0, 2)) ? 2 : 1;
  const isNamed = family !== undefined && (text.length === 1 || text.length > size);
  const signs = [...text];
  const start = isNamed ? size : 0;
  return [
    ...(isNamed ? [spelled(family)] : []),
    // The sounds of the family name and of the given name do not affect each other.
    ...signs.slice(start).map((syllable, place, own) => spelled(spellingsOf(syllable, own[place - 1], own[place + 1]))),
  ];
}

function spelled(spellings: readonly string[]): RomanWord {
  const [text = "", ...also] = spellings;
  return { text, isConsonantal: false, origin: "ko", also };
}

const partsOf = (syllable: string): { initial: number; vowel: number; final: number } => {
  const place = (syllable.codePointAt(0) ?? 0) - firstSyllable;
  return { initial: Math.floor(place / 588), vowel: Math.floor((place % 588) / 28), final: place % 28 };
};

/** Initials, by their place, and classes of finals that change one another. */
const [n, r, m, mute, h] = [2, 5, 6, 11, 18];
const [likeK, likeT, likeP] = [
  [1, 2, 3, 9, 24],
  [7, 19, 20, 22, 23, 25, 27],
  [14, 17, 18, 26],
];
const likeN = [4, 5, 6];
const likeL = [8, 11, 12, 13, 15];
const likeM = [10, 16];
const likeNg = [21];

/** Spellings of a syllable's end when it assimilates to what follows; empty if it does not. */
function turnedFinals(final: number, next: number): readonly string[] {
  if (next === n || next === m || next === r) {
    if (likeK.includes(final)) return ["ng"];
    if (likeP.includes(final)) return ["m"];
    if (likeT.includes(final)) return ["n"];
  }
  if (likeN.includes(final) && next === r) return ["l"];
  if (next === mute && likeL.includes(final)) return ["r"];
  if (next === mute && likeT.includes(final)) return ["s", "j", "ch"];
  return next === mute && likeP.includes(final) ? ["b"] : [];
}

/** The same for its beginning, after another syllable. */
function turnedInitials(initial: number, before: number): readonly string[] {
  if (initial === r && [...likeK, ...likeP, ...likeM, ...likeNg, ...likeN].includes(before)) return ["n"];
  if (initial === r && likeL.includes(before)) return ["l"];
  if (initial === n && likeL.includes(before)) return ["l"];
  return initial === h && [...likeK, ...likeP, ...likeT].includes(before) ? [""] : [];
}

function spellingsOf(syllable: string, before: string | undefined, next: string | undefined): string[] {
  const { initial, vowel, final } = partsOf(syllable);
  const firsts = (initials[initial] ?? []).filter((first) => first !== "n" || initial !== r || before === undefined);
  const turnedFirsts = before === undefined ? [] : turnedInitials(initial, partsOf(before).final);
  const turnedLasts = next === undefined ? [] : turnedFinals(final, partsOf(next).initial);
  const [plainFirst = "", plainMiddle = "", plainLast = ""] = [firsts[0], vowels[vowel]?.[0], finals[final]?.[0]];
  const found: string[] = [];
  for (const first of [...firsts, ...turnedFirsts]) {
    for (const middle of vowels[vowel] ?? []) {
      for (const last of [...(finals[final] ?? []), ...turnedLasts]) found.push(first + middle + last);
    }
  }
  const turned = turnedLasts.map((last) => plainFirst + plainMiddle + last);
  const begun = turnedFirsts.map((first) => first + plainMiddle + plainLast);
  const others = found.toSorted((one, other) => rankOf(one) - rankOf(other));
  return [...new Set([plainFirst + plainMiddle + plainLast, ...turned, ...begun, ...others])].slice(0, mostSpellings);
}

/** Long spellings are rare. */
const rankOf = (text: string): number => text.length + (/(.)\1/.test(text) ? 1 : 0);
