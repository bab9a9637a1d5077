import type { RomanWord } from "./roman-word";

/** How each part of a syllable is spelled, by the Revised Romanization first, then as people do. */
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

/** Family names have spellings of their own; the one that most bear comes first. */
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
const mostSpellings = 14;

/** A Korean word syllable by syllable, each with its spellings. The first may be a family name. */
export function hangulWords(word: string): RomanWord[] {
  const text = word.normalize("NFC").replaceAll(/[^가-힣]/gu, "");
  const family = families.get(text.length > 3 ? text.slice(0, 2) : "") ?? families.get(text.charAt(0));
  const size = text.length > 3 && families.has(text.slice(0, 2)) ? 2 : 1;
  const isNamed = family !== undefined && (text.length === 1 || text.length > size);
  return [
    ...(isNamed ? [spelled(family)] : []),
    ...[...text.slice(isNamed ? size : 0)].map((syllable, place) =>
      spelled(
        spellingsOf(syllable, place === 0 ? !isNamed : endsInNasal(text.charAt(place - 1 + (isNamed ? size : 0)))),
      ),
    ),
  ];
}

function spelled(spellings: readonly string[]): RomanWord {
  const [text = "", ...also] = spellings;
  return { text, isConsonantal: false, origin: "ko", also };
}

/** Behind such a syllable an `r` is said, and often written, as an `n`. */
const endsInNasal = (syllable: string): boolean =>
  [4, 16, 21].includes(((syllable.codePointAt(0) ?? 0) - firstSyllable) % 28);

function spellingsOf(syllable: string, mayBeN: boolean): string[] {
  const place = (syllable.codePointAt(0) ?? 0) - firstSyllable;
  const [initial, vowel, final] = [Math.floor(place / 588), Math.floor((place % 588) / 28), place % 28];
  const found: string[] = [];
  for (const first of initials[initial] ?? []) {
    if (first === "n" && initial === 5 && !mayBeN) continue;
    for (const middle of vowels[vowel] ?? []) {
      for (const last of finals[final] ?? []) found.push(first + middle + last);
    }
  }
  const [official = "", ...others] = found;
  return [official, ...others.toSorted((one, other) => rankOf(one) - rankOf(other))].slice(0, mostSpellings);
}

/** Long spellings are rare. */
const rankOf = (text: string): number => text.length + (/(.)\1/.test(text) ? 1 : 0);
