import { pairsOf } from "./sign-pairs";

const thaiInitials = pairsOf(
  "กk ขkh ฃkh คkh ฅkh ฆkh งng จch ฉch ชch ซs ฌch ญy ฎd ฏt ฐth ฑth ฒth ณn ดd ตt ถth ทth ธth นn บb ปp ผph ฝf พph ฟf ภph มm ยy รr ลl วw ศs ษs สs หh ฬl อ ฮh ฤrue ะa ัa าa ำam ิi ีi ึue ืue ุu ูu เe แae โo ใai ไai",
);
const thaiFinals = pairsOf(
  "จt ชt ซt ฎt ฏt ฐt ฑt ฒt ดt ตt ถt ทt ธt ศt ษt สt บp ปp พp ฟp ภp กk ขk คk ฆk ญn ณn รn ลn ฬn ยi วo",
);

const isThaiVowel = (sign: string): boolean =>
  /[aeiou]|[\u0E30-\u0E33]|[\u0E34-\u0E3A]|[\u0E40-\u0E45]|\u0E47/u.test(sign);

/** Returns the readings of a Thai word: as it is spoken, and as it is spelled. */
export const thaiReadings = (word: string): string[] => {
  const own = thaiClusters.reduce((text, [from, to]) => text.replaceAll(from, to), word);
  const said = own
    .replaceAll(/[ศส]ร(?=[ะ-ู้a-z])/gu, "ส")
    .replaceAll(/(?<=[ก-ฮ])ร$/gu, "รน")
    .replaceAll(/(?<=ก)ษ./gu, "");
  const learned = own.replaceAll(/รร/gu, "ร").replaceAll(/[ภธทชว]/gu, (sign) => learnedSigns.get(sign) ?? sign);
  const short = thaiText(said.replace(/(?<=[ก-ฮ])[ิุ]$/u, ""), true);
  const texts = [thaiText(word, true), thaiText(word, false), thaiText(said, true), short];
  return [...texts, thaiText(own, false), thaiText(said, false), thaiText(learned, false)];
};
/** Vowels that are written before two consonants which are pronounced as one. */
const thaiClusters: readonly (readonly [RegExp, string])[] = [
  [/เ([กขคตทปผพศสจซ][รลว])ือ/gu, "$1uea"],
  [/เ([กขคตทปผพศสจซ][รลว])ีย/gu, "$1ia"],
  [/เ([กขคตทปผพศสจซ][รลว])า/gu, "$1ao"],
  [/เ([กขคตทปผพศสจซ][รลว])(?![์ิีึืุู])/gu, "$1e"],
  [/แ([กขคตทปผพศสจซ][รลว])(?![์ิีึืุู])/gu, "$1ae"],
  [/โ([กขคตทปผพศสจซ][รลว])(?![์ิีึืุู])/gu, "$1o"],
  [/[ไใ]([กขคตทปผพศสจซ][รลว])(?![์ิีึืุู])/gu, "$1ai"],
];
/** Spellings of some letters by people with Sanskrit names. */
const learnedSigns = pairsOf("ภb ธd ทd ชj วv");

/** As it is spoken, or letter by letter, as people with Sanskrit names often write theirs. */
function thaiText(word: string, isSpoken: boolean): string {
  const voicedSigns = isSpoken ? word.replaceAll(/[ทตดธ]ร์|.[ิุ]?์/gu, "") : word.replaceAll("์", "");
  const spoken = voicedSigns.replaceAll(/\u0E3A|\u0E47|\u0E48|\u0E49|\u0E4A|\u0E4B|\u0E4D|\u0E4E/gu, "");
  const signs = [
    ...spoken
      .replaceAll(/รร(?=[ก-ฮ])/gu, "ั")
      .replaceAll("รร", "ัน")
      .replaceAll(/เ([ก-ฮ])ือ/gu, "$1uea")
      .replaceAll(/เ([ก-ฮ])ีย/gu, "$1ia")
      .replaceAll(/เ([ก-ฮ])า/gu, "$1ao")
      .replaceAll(/เ([ก-ฮ])อ/gu, "$1oe")
      .replaceAll(/([เแโใไ])([ก-ฮ])/gu, "$2$1")
      .replaceAll(/^อ(?=[ก-ฮ])/gu, "a")
      .replaceAll(/ญ(?=[ก-ฮ]|$)/gu, "น"),
  ];
  const text = signs
    .map((sign, index) => {
      const isClosed = (signs[index - 1] === "ั" && sign !== "ว") || isClosing(signs, index);
      const isFinal = isSpoken && index > 0 && !isThaiVowel(sign) && (index === signs.length - 1 || isClosed);
      return (isFinal ? thaiFinals.get(sign) : undefined) ?? thaiInitials.get(sign) ?? (/[a-z]/.test(sign) ? sign : "");
    })
    .join("");
  return isSpoken ? text : text.replaceAll(/(?<=[ptk])h/g, "");
}

/** Between two vowels, the first of two consonants ends a syllable, unless both are pronounced as one. */
function isClosing(signs: readonly string[], index: number): boolean {
  const [before = "", sign = "", next = "", behind = ""] = signs.slice(index - 1, index + 3);
  const isPair = /[ก-ฮ]/u.test(sign) && /[ก-ฮ]/u.test(next) && !/[รลว]/u.test(next);
  return isPair && isThaiVowel(before) && isThaiVowel(behind);
}
