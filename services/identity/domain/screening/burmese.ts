import type { RomanWord } from "./roman-word";

/** Spellings in names of the letters that begin a syllable, the commonest first. A bar separates the entries. */
const initials = tableOf(
  `က k g|ခ kh k g|ဂ g k|ဃ g gh|င ng|စ s z|ဆ s hs z sw|ဇ z s|ဈ z|ည ny|ဉ ny|ဋ t|ဌ ht|ဍ d|ဎ d|ဏ n|တ t d|ထ ht t|ဒ d t|ဓ d dh|န n|ပ p b|ဖ ph hp p|ဗ b v|ဘ b bh
မ m|ယ y|ရ y r|လ l|ဝ w|သ th t s|ဟ h|ဠ l|ဿ th|အ  |ကျ ky gy|ကြ ky gy|ချ ch kh gy|ခြ ch kh|ဂျ gy j|ဂြ gy j|ပျ py|ပြ py|ဖျ phy hpy py|ဖြ phy hpy py|ဗျ by|ဗြ by|ဘျ by|မျ my|မြ my|လျ ly y|ငြ ny
လှ hl l|မှ hm m|နှ hn n|ငှ hng|ညှ hny ny|ရှ sh|သျှ sh|လျှ sh hly|ယှ sh|ဝှ hw w|မျှ hmy my|မြှ hmy my|တျ ty|သြ thr`,
);

/** The same for what follows: vowels, and the end of the syllable. `C` with a tone below sounds as if a `t` followed. */
const rhymes = tableOf(
  `- a ah|ာ a ar ah|ိ i ee|ီ i ee y|ု u oo uu|ူ u oo uu|ေ ay e aye ae ey ei|ဲ e ae eh al ai|ော aw or au o|ော် aw or au o|ို o oe oh|ံ an am ant|ိံ ein|ုံ on oun one um|က် et at ak ek
င် in inn yin ing|င့် int in inn|ောင် aung oung ong|ောင့် aung|ိုင် aing ine ing|ိုင့် aing|ောက် auk out ok|ိုက် aik ike ite|စ် it is ich|ည် i e ay ee yi yee ey in|ည့် i e yi|ဉ် in inn yin|ဉ့် int in
တ် at et t|ိတ် eik ate eit ait ate|ုတ် ok oke out oat|န် an am|န့် ant an|ိန် ein en ain|ိန့် eint ein|ုန် on ohn oun one|ုန့် ont on|ပ် at ap|ိပ် eik eip ate|ုပ် oke ok op|မ် an am|ိမ် ein eim|ိမ့် eint|ုမ် on ohn
ယ် e ai al eh ae ay|ွ wa|ွာ wa war|ွား wa war|ွိ wi|ွီ wi wee|ွေ we way wai wey|ွဲ we wae wal|ွယ် we wai wal|ွက် wet wat|ွင် win winn wyn|ွင့် wint win|ွန် un wun won oon|ွန့် unt un|ွတ် ut wut|ွပ် ut wut|ွမ် un wun|ွမ့် unt|ွံ un wun|ြ`,
);

/** Letters that form a syllable of their own. */
const wholes = tableOf(
  "ဥ u|ဦ oo u|ဣ i|ဤ i|ဧ ay e aye|ဩ aw o|ဪ aw|ဥက် oak ok|ဥတ် ok oke|ဦန် un|ဥမ် ohn on|ဧက် eik|ဣန် ein|ဣန္ ein",
);

const titles = new Set(["ဦး", "ဒေါ်", "ဒေါက်တာ", "ဗိုလ်ချုပ်", "ဗိုလ်မှူး", "ဆရာ", "ဆရာမ", "သခင်"]);
const longestTitle = 12;

const mostSpellings = 18;

function tableOf(text: string): ReadonlyMap<string, readonly string[]> {
  return new Map(
    text.split(/[|\n]/).map((line) => {
      const [sign = "", ...spellings] = line.split(" ");
      return [sign, spellings] as const;
    }),
  );
}

/** Returns a Burmese word syllable by syllable, each with its spellings; a title before two or more syllables is left out. */
export function burmeseWords(word: string): RomanWord[] {
  const text = untitled(even(word));
  return text
    .split(/(?<!^)(?=[က-ဪဿ](?!့?်))/u)
    .map(spellingsOf)
    .filter(([first]) => first !== undefined && first !== "")
    .map(([first = "", ...also]) => ({ text: first, isConsonantal: false, origin: "ko", also }));
}

/** A letter stacked under another one closes the syllable before it; tones that are not spelled are left out. */
const even = (word: string): string =>
  word
    .normalize("NFC")
    .replaceAll("ါ", "ာ")
    .replaceAll("\u1004\u103a\u1039", "င်")
    .replaceAll(/(?<=[က-အ])\u1039/gu, "်")
    .replaceAll(/[း\u200b-\u200d]/gu, "")
    .replaceAll(/့်/gu, "့်")
    .replaceAll(/ံု/gu, "ုံ");

function untitled(word: string): string {
  for (let length = Math.min(longestTitle, word.length); length > 0; length -= 1) {
    const rest = word.slice(length);
    if (plainTitles.has(word.slice(0, length)) && syllableCount(rest) >= 2 && /^[က-ဪဿ](?!့?်)/u.test(rest)) return rest;
  }
  return word;
}
const plainTitles = new Set([...titles].map(even));
const syllableCount = (word: string): number => word.match(/[က-ဪဿ](?!့?်)/gu)?.length ?? 0;

const medials = /^([က-အဿ])([ျြ]?)(ွ?)(ှ?)(.*)$/u;

function spellingsOf(syllable: string): string[] {
  const own = wholes.get(syllable) ?? wholes.get(toneless(syllable));
  if (own !== undefined) return [...own];
  const [, base = "", turned = "", round = "", breathed = "", ending = ""] = medials.exec(syllable) ?? [];
  if (base === "") return [];
  const heads = initials.get(base + turned + breathed) ?? withMedials(base, turned, breathed);
  const written = round + ending;
  const tails = rhymes.get(written) ??
    rhymes.get(toneless(written)) ??
    (written === "" ? rhymes.get("-") : undefined) ?? [""];
  const found = heads.flatMap((head, at) => tails.map((tail, place) => ({ text: head + tail, rank: at + place })));
  const ranked = found.toSorted((one, other) => one.rank - other.rank).map(({ text }) => text);
  return [...new Set(ranked)].filter((text) => text !== "").slice(0, mostSpellings);
}

/** Without the tone below. */
const toneless = (text: string): string => text.replaceAll("့", "");

/** A beginning that is not in the table: each sign separately. */
function withMedials(base: string, turned: string, breathed: string): readonly string[] {
  const plain = initials.get(base) ?? [""];
  const glided = turned === "" ? plain : plain.map((head) => `${head}y`);
  return breathed === "" ? glided : [...glided.map((head) => `h${head}`), ...glided];
}
