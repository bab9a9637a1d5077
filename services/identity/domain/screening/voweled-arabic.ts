import { pairsOf } from "./sign-pairs";

/** Uyghur and Sorani write their vowels, with letters that Arabic, Persian and Urdu lack or use differently. */
const telling = /[ەېۆۈێۇۋڕڵ]|^ئ.|ى(?=.)/u;

const signs = pairsOf(
  "ئ اa ېe ێe ىi ۆo ۈu ۇu ۋw بb پp تt جj چch خkh دd رr ڕr زz ژzh سs شsh عa غgh فf ڤv قq كk کk گg ڭng لl ڵl مm نn ھh هh ہh حh صs طt ظz ضz ذz ثs",
);

/** Returns the readings of a word with written vowels; undefined for a word without vowels that Arabic would leave out. */
export function voweledReadings(word: string): string[] | undefined {
  const plain = word.normalize("NFC").replaceAll("ـ", "");
  if (!telling.test(plain)) return undefined;
  const even = plain
    .replaceAll("وو", "ۇ")
    .replaceAll(/ی(?=[اەوۆۇێې])/gu, "y")
    .replaceAll(/[یي]/gu, "ى")
    .replaceAll(/و(?=[اەىېێ])/gu, "w");
  const read = (rounded: string, open: string): string =>
    [...even]
      .map((sign) =>
        sign === "و" ? rounded : sign === "ە" ? open : (signs.get(sign) ?? (/[a-z]/.test(sign) ? sign : "")),
      )
      .join("");
  return ["o", "u", "w"].flatMap((rounded) => ["e", "a"].map((open) => read(rounded, open)));
}

/** The writing of the Maldives: consonants, then the vowels above and below them; a small circle takes the vowel away. */
const thaana = pairsOf(
  "ހh ށsh ނn ރr ބb ޅl ކk އ ވv މm ފf ދdh ތth ލl ގg ޏny ސs ޑd ޒz ޓt ޔy ޕp ޖj ޗch ޘth ޙh ޚkh ޛdh ޜzh ޝsh ޞs ޟdh ޠt ޡz ޢ ޣgh ޤq ޥw ަa ާaa ިi ީee ުu ޫoo ެe ޭey ޮo ޯoa ް",
);

/** Names of Arabic origin are spelled as in Arabic: without the final `u`, and with `d` and `t`. */
export function thaanaReadings(word: string): string[] {
  const text = [...word.normalize("NFC")].map((sign) => thaana.get(sign) ?? "").join("");
  const arabic = text.replaceAll("dh", "d").replaceAll("th", "t");
  return [text, arabic, arabic.replace(/u$/, ""), text.replace(/u$/, "")];
}
