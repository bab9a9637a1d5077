/** Spellings of consonants at the beginning and at the end of a syllable, and the series of vowels, out of two, that they take. */
const consonants = new Map(
  `ក a k k,c|ខ a kh k,kh|គ o k k|ឃ o kh k|ង o ng ng|ច a ch ch,c|ឆ a chh,ch ch|ជ o ch ch|ឈ o chh,ch ch|ញ o nh,ny nh,n|ដ a d t,d|ឋ a th th,t|ឌ o d t,d|ឍ o th th,t|ណ a n n
ត a t,d t|ថ a th th,t|ទ o t,d t|ធ o th th,t|ន o n n|ប a b,p p,b|ផ a ph p|ព o p p|ភ o ph p,ph|ម o m m|យ o y y,i|រ o r r,|ល o l l|វ o v,w v,u,w|ស a s s,h,|ហ a h h,s|ឡ a l l|អ a  `
    .split(/[|\n]/)
    .map((row) => {
      const [sign = "", series, heads = "", tails = ""] = row.split(" ");
      return [sign, { isOpen: series === "o", heads: heads.split(","), tails: tails.split(",") }] as const;
    }),
);

/** Vowels after consonants of the first series, then after those of the second. */
const vowels = new Map(
  `- a,o,or o,or,a,oa|ា a,ar ea,ear|ិ e,i i|ី ey,i,y i,y,ee|ឹ e,oe,i i,oe,u|ឺ eu,oeu eu,oeu|ុ o,u u,o|ូ o,ou,u ou,u,oo|ួ uo,ua,ou uo,ua,ou|ើ ae,er,eu eu,er,oe|ឿ oeu,eu oeu,eu|ៀ ie,ea ie,ea,ia
េ e,ei e,ei|ែ ae,e e,ae|ៃ ai,ay ei,ey,ay|ោ ao,o o,or,ou|ៅ ao,au,av ov,ou,ao|ំ am,om um,om|ុំ om um,om|ាំង ang,aing ang,eang|ាំ am oam,eam,am|ះ as,ah eas,eah|ុះ os,oh us,uh|េះ es,eh es,eh|ោះ aoh,os oh,os`
    .split(/[|\n]/)
    .map((row) => {
      const [sign = "", first = "", second = ""] = row.split(" ");
      return [sign, [first.split(","), second.split(",")]] as const;
    }),
);

/** Letters that form a vowel or a syllable of their own. */
const wholes = new Map(
  [..."ឥឦឧឩឪឫឬឭឮឯឰឱឲឳ"].map((sign, at) => [sign, "e ei o u ov rue rue lue lue e ai ao ao ao".split(" ")[at] ?? ""]),
);

/** Foreign sounds, written with `ហ` on top. */
const foreign = new Map([..."គវនមលស"].map((sign, at) => [sign, ["g", "f", "n", "m", "l", "z"][at] ?? ""]));

interface Token {
  base: string;
  below: readonly string[];
  /** Undefined if it is written without a vowel. */
  vowel: string | undefined;
  isOpen: boolean;
  isHard: boolean;
}

const cluster = /([ក-ឳ])((?:\u17d2[ក-អ])*)([\u17c9\u17ca]?)(ាំង(?![ា-ៈ\u17d2])|[ា-ៈ]*)(\u17cb?)/gu;

function tokensOf(word: string): Token[] {
  const plain = word
    .normalize("NFC")
    .replaceAll(/[ក-អ](?:\u17d2[ក-អ])*[ិុ]?\u17cd/gu, "")
    .replaceAll(/[\u17cc\u17ce-\u17d1\u200b-\u200d]/gu, "");
  return [...plain.matchAll(cluster)].map(([, base = "", under = "", shifter = "", vowel = ""]) => {
    const below = [...under.replaceAll("\u17d2", "")];
    const own =
      consonants.get(base)?.isOpen === true ||
      below.some((sign) => "គឃងជឈញឌឍទធនពភមយរលវ".includes(sign) && "ឃងញនមយរលវ".includes(base));
    return {
      base,
      below,
      vowel: vowel === "" ? undefined : vowel,
      isOpen: shifter === "" ? own : shifter === "\u17ca",
      isHard: shifter === "\u17c9",
    };
  });
}

const mostReadings = 14;

/** Combines the spellings of the parts, each with the likeliest first, starting with the likeliest combination. */
function joined(parts: readonly (readonly string[])[]): string[] {
  const all = parts.reduce<{ text: string; rank: number }[]>(
    (heads, tails) =>
      heads
        .flatMap(({ text, rank }) => tails.map((tail, place) => ({ text: text + tail, rank: rank + place })))
        .toSorted((one, other) => one.rank - other.rank)
        .slice(0, mostReadings),
    [{ text: "", rank: 0 }],
  );
  return all.map(({ text }) => text);
}

/**
 * Returns the possible spellings of a Khmer word. A consonant without a vowel ends the syllable before it if that has no end yet; within a
 * word it may also have an `a` of its own.
 */
export function khmerReadings(word: string): string[] {
  const tokens = tokensOf(word);
  const [closed, open] = [joined(partsOf(tokens, false)), joined(partsOf(tokens, true))];
  return [...new Set([...closed, ...open.slice(0, 4)])];
}

function partsOf(tokens: readonly Token[], hasOwnVowels: boolean): (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  let isOpen = false;
  for (const [place, token] of tokens.entries()) {
    const whole = wholes.get(token.base);
    const isInner = place < tokens.length - 1;
    if (whole !== undefined) {
      parts.push([whole]);
      isOpen = true;
    } else if (token.vowel === undefined && isOpen) {
      const [first] = token.below;
      const isDouble = isInner && first !== undefined;
      parts.push(isDouble ? (consonants.get(token.base)?.tails ?? [""]) : tailsOf(token));
      if (isDouble) parts.push(consonants.get(first)?.heads ?? [""], ownVowels(consonants.get(first)?.isOpen === true));
      else if (hasOwnVowels && isInner) parts.push(["a"]);
      isOpen = isDouble;
    } else {
      parts.push(
        headsOf(token),
        token.vowel === undefined
          ? ownVowels(token.isOpen)
          : (vowels.get(token.vowel)?.[token.isOpen ? 1 : 0] ?? spelledOut(token)),
      );
      isOpen = !/[ំះង]$/u.test(token.vowel ?? "");
    }
  }
  return parts;
}

const ownVowels = (isOpen: boolean): readonly string[] => vowels.get("-")?.[isOpen ? 1 : 0] ?? [""];

/** A sequence of vowel signs that is not in the table. */
const spelledOut = ({ vowel = "", isOpen }: Token): string[] => [
  [...vowel].map((sign) => vowels.get(sign)?.[isOpen ? 1 : 0]?.[0] ?? "").join(""),
];

const tailsOf = ({ base, below }: Token): readonly string[] => {
  const tails = consonants.get(base)?.tails ?? [""];
  return below.length > 0
    ? [...tails, ...tails.map((tail) => `${tail}${consonants.get(below[0] ?? "")?.tails[0] ?? ""}`)]
    : tails;
};

function headsOf({ base, below: [first, ...others], isHard }: Token): readonly string[] {
  const loan = base === "ហ" && first !== undefined ? foreign.get(first) : undefined;
  if (loan !== undefined) return [loan];
  const own = consonants.get(base)?.heads ?? [""];
  const heads = base === "ប" && (isHard || first !== undefined) ? ["p", "b"] : own;
  if (first === undefined) return heads;
  const rest = [first, ...others].map((sign) => consonants.get(sign)?.heads[0] ?? "").join("");
  return heads.map((head) => head + rest);
}
