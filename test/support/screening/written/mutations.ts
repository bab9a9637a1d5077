import type { Pick } from "../cultures";

/** A name in two parts, as in forms. */
export interface Parts {
  first: string;
  last: string;
}

export type Mutation = (parts: Parts, pick: Pick) => Parts | undefined;

const onBoth =
  (change: (text: string, pick: Pick) => string): Mutation =>
  ({ first, last }, pick) => ({ first: change(first, pick), last: change(last, pick) });

const placeIn = (text: string, pick: Pick): number =>
  text.length < 2 ? 1 : pick(Array.from({ length: text.length - 1 }, (_one, at) => at + 1));
const put = (text: string, at: number, sign: string): string => text.slice(0, at) + sign + text.slice(at);

const unseen =
  "200b 200c 200d 200e 200f 00ad 2060 2061 2063 feff fe0f fe00 180e 034f 061c 202a 202c 2066 2069 3164 115f ffa0 e0061 1d173 e0100"
    .split(" ")
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
const spaces = ["\u00a0", "\u2003", "\u2009", "\u3000", "\u202f", "  ", "\t", "\u1680", "\u205f"];
const hyphens = ["-", "‐", "‑", "–", "—", "－", "·", ".", "_", "/"];

/** Letters of other scripts that look the same, by the Latin one. */
const twins: Readonly<Record<string, string>> = {
  ...{ a: "аɑα", c: "сϲ", e: "еҽ", h: "һհ", i: "іι", j: "јϳ", k: "к", n: "ոռ", o: "оοօ", p: "рρ", q: "ԛ", s: "ѕ" },
  ...{ u: "սυ", v: "νѵ", w: "ԝ", x: "хх", y: "уγ", g: "ցɡ", l: "ӏⅼ", d: "ԁ", b: "Ьь", m: "м", t: "т" },
  ...{ A: "АΑ", B: "ВΒ", C: "С", E: "ЕΕ", H: "НΗ", I: "ІΙ", K: "КΚ", M: "МΜ", N: "Ν", O: "ОΟ", P: "РΡ", S: "ЅՏ" },
  ...{ T: "ТΤ", X: "ХΧ", Y: "УΥ", Z: "Ζ", J: "Ј" },
};
const twinOf = (letter: string, pick: Pick): string => pick([...(twins[letter] ?? letter)]);

/** Alphabets of signs that are letters in another form. */
const dresses = [0x1d400, 0x1d434, 0x1d5a0, 0x1d670, 0xff21];
const dress = (text: string, pick: Pick): string => {
  const base = pick(dresses);
  const lower = base === 0xff21 ? 0xff41 : base + 26;
  return text.replaceAll(/[A-Za-gi-z]/g, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCodePoint(code >= 97 ? lower + code - 97 : base + code - 65);
  });
};

function slip(word: string, pick: Pick): string {
  const at = placeIn(word.slice(0, -1), pick);
  const letter = pick([..."aeioulnrstmdkp"]);
  return pick([
    () => word.slice(0, at) + letter + word.slice(at + 1),
    () => put(word, at, letter),
    () => word.slice(0, at) + word.slice(at + 1),
    () => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
    () => put(word, at, word.charAt(at)),
  ])();
}

const honorifics =
  "Mr|Mrs.|Dr|Prof. Dr.|Hon.|H.E.|Sheikh|Haji|Al-Hajj|Ustad|Eng.|Col.|Maj. Gen.|Rev.|Sir|Shri|Smt.|Herr|Frau Dr.|Monsieur|Mme|Señor|Sra.|Sig.|Doña|Pan|Gospodin|г-н|доктор|السيد|الشيخ|الدكتور|आचार्य श्री|Mullah|Sayyid|Khawaja|Ing.|Avv.|Lic.|Kyrios|คุณ".split(
    "|",
  );
const suffixes = "Jr.|Esq.|PhD|MD|Bey|Efendi|III|san|ssi|Sahib|Jan|Agha|Pasha|MBA|(Ret.)|II".split("|");
const patronymics = "Ivanovich|bin Saleh|ibn Dawud|Petrovna|oglu Kamil|Sergeyevich|bint Harun|Kumar|Andreevich".split(
  "|",
);
const middles = "A.|J|M.|K. L.|R".split("|");

/** Ways to write a name that do not change it; the last ones are typing errors. */
export const mutations: Readonly<Record<string, Mutation>> = {
  "order turned": ({ first, last }) => ({ first: last, last: first }),
  "comma form": ({ first, last }) => ({ first: "", last: `${last.toUpperCase()}, ${first}` }),
  capitals: onBoth((text) => text.toUpperCase()),
  "small letters": onBoth((text) => text.toLowerCase()),
  "unseen signs": onBoth((text, pick) => put(put(text, placeIn(text, pick), pick(unseen)), 1, pick(unseen))),
  "unseen signs everywhere": onBoth((text, pick) => {
    const sign = pick(unseen);
    return [...text].join(sign);
  }),
  "one look-alike": onBoth((text, pick) => {
    const at = placeIn(text, pick) - 1;
    return text.slice(0, at) + twinOf(text.charAt(at), pick) + text.slice(at + 1);
  }),
  "look-alikes": onBoth((text, pick) => [...text].map((letter) => twinOf(letter, pick)).join("")),
  "letters in another dress": onBoth(dress),
  "stacked accents": onBoth((text) => text.replaceAll(/(?<=[A-Za-z])/g, "\u0301\u0323")),
  "odd spaces": ({ first, last }, pick) => ({
    first: "",
    last: `${first.replaceAll(" ", pick(spaces))}${pick(spaces)}${last}`,
  }),
  "hyphens and dots": ({ first, last }, pick) => ({ first: "", last: `${first}${pick(hyphens)}${last}` }),
  "letters apart": ({ first, last }) => ({ first: [...first].join(" "), last: [...last].join(" ") }),
  "dots between letters": ({ first, last }) => ({ first: [...first].join("."), last: [...last].join(".") }),
  joined: ({ first, last }) => ({ first: "", last: `${first}${last.toLowerCase()}`.replaceAll(/[ -]/g, "") }),
  parted: ({ first, last }, pick) => {
    if (last.length < 8 || /[ -]/.test(last)) return undefined;
    const at = pick([3, 4, 5]);
    return { first, last: `${last.slice(0, at)}${pick([" ", "-"])}${last.slice(at)}` };
  },
  honorific: ({ first, last }, pick) => ({ first: `${pick(honorifics)} ${first}`, last }),
  "title behind": ({ first, last }, pick) => ({ first, last: `${last} ${pick(suffixes)}` }),
  "patronymic more": ({ first, last }, pick) => ({ first: `${first} ${pick(patronymics)}`, last }),
  "initial more": ({ first, last }, pick) => ({ first: `${first} ${pick(middles)}`, last }),
  "figures for letters": onBoth((text) => text.replace("o", "0").replace("e", "3").replace(/[il]/, "1")),
  "quotes and brackets": ({ first, last }) => ({ first: `"${first}"`, last: `(${last})` }),
  slip: ({ first, last }, pick) => (last.length < 7 || / /.test(last) ? undefined : { first, last: slip(last, pick) }),
  "slip in the given name": ({ first, last }, pick) =>
    first.length < 7 || /[ -]/.test(first) ? undefined : { first: slip(first, pick), last },
  "slips in both": ({ first, last }, pick) =>
    first.length < 7 || last.length < 8 || /[ -]/.test(first + last)
      ? undefined
      : { first: slip(first, pick), last: slip(last, pick) },
};
