import thai from "@dehoist/romanize-thai";
import {
  type Faker,
  fakerAZ,
  fakerDE,
  fakerEL,
  fakerEN,
  fakerEN_NG,
  fakerES,
  fakerFR,
  fakerHR,
  fakerHU,
  fakerHY,
  fakerIT,
  fakerKA_GE,
  fakerKO,
  fakerNL,
  fakerPL,
  fakerPT_BR,
  fakerRO,
  fakerRU,
  fakerSR_RS_latin,
  fakerSV,
  fakerTH,
  fakerTR,
  fakerUK,
  fakerVI,
  fakerZH_CN,
} from "@faker-js/faker";
import {
  armenian,
  capital,
  chinese,
  georgian,
  greek,
  indic,
  japanese,
  korean,
  type Romanizer,
  russian,
  toBengali,
  toGujarati,
  ukrainianLatin,
} from "./romanizers";
import {
  arabicFamily,
  arabicGiven,
  devanagariFamily,
  devanagariGiven,
  hebrewFamily,
  hebrewGiven,
  kanaFamily,
  kanaGiven,
} from "./spelled-names";

export type Pick = <T>(options: readonly T[]) => T;

export interface Spelling {
  first: string;
  last: string;
}

/** A person of a culture, with a name in its script and in several Latin spellings. */
export interface Person {
  native: Spelling;
  /** Identity of the person, independent of spelling. */
  source: string;
  /** Another spelling at each call. */
  latin(pick: Pick): Spelling;
}

export interface Culture {
  name: string;
  country: string;
  /** If a culture has few family names, each `side` has its own. */
  make(pick: Pick, side: 0 | 1): Person;
}

const ofSide = <T>(options: readonly T[], side: 0 | 1): T[] => options.filter((_option, index) => index % 2 === side);

const listOf = (faker: Faker, field: "first_name" | "last_name"): readonly string[] => {
  const known: unknown = faker.rawDefinitions.person?.[field];
  const lists = Array.isArray(known) ? [known] : Object.values(Object(known) as Record<string, unknown>);
  return [...new Set(lists.flat().filter((name): name is string => typeof name === "string" && name !== ""))];
};

function ofFaker(name: string, country: string, faker: Faker, romanizer: Romanizer): Culture {
  const [given, family] = [listOf(faker, "first_name"), listOf(faker, "last_name")];
  return {
    name,
    country,
    make(pick, side) {
      const shared = pick([0, 0, 1]) === 1 ? 0 : side;
      const native = { first: pick(given), last: pick(ofSide(family, shared)) };
      const latin = (again: Pick) => ({ first: romanizer(native.first, again), last: romanizer(native.last, again) });
      return { native, source: `${native.first} ${native.last}`, latin };
    },
  };
}

/** Names without spaces, the family name first. */
function ofSyllables(name: string, country: string, faker: Faker, romanizer: Romanizer): Culture {
  const [given, family] = [listOf(faker, "first_name"), listOf(faker, "last_name").filter((one) => one.length === 1)];
  return {
    name,
    country,
    make(pick) {
      const native = { first: pick(given.filter((one) => one.length === 2)), last: pick(family) };
      const latin = (again: Pick): Spelling => {
        const [last = "", ...first] = romanizer(native.last + native.first, again).split(" ");
        return { first: first.join(" "), last };
      };
      return { native, source: `${native.first} ${native.last}`, latin };
    },
  };
}

function ofTables(
  name: string,
  country: string,
  given: readonly (readonly string[])[],
  family: readonly (readonly string[])[],
): Culture {
  return {
    name,
    country,
    make(pick, side) {
      const [one, other, last] = [pick(given), pick(given), pick(ofSide(family, side))];
      const middle = pick([0, 1]) === 1 && one !== other ? other : undefined;
      const spelled = (place: (options: readonly string[]) => string): Spelling => ({
        first: [one, ...(middle === undefined ? [] : [middle])].map(place).join(" "),
        last: place(last),
      });
      const read = (again: Pick): Spelling => spelled((options) => again(options.slice(1)).replaceAll("_", " "));
      const native = spelled((options) => options[0] ?? "");
      return { native, source: `${native.first} ${native.last}`, latin: read };
    },
  };
}

function ofScript(
  name: string,
  country: string,
  [given, family]: readonly [readonly string[], readonly string[]],
  romanizer: Romanizer,
  script: (text: string) => string = (text) => text,
): Culture {
  return {
    name,
    country,
    make(pick, side) {
      const source = { first: pick(given), last: pick(ofSide(family, side)) };
      return {
        source: `${source.first} ${source.last}`,
        native: { first: script(source.first), last: script(source.last) },
        latin: (again) => ({ first: romanizer(source.first, again), last: romanizer(source.last, again) }),
      };
    },
  };
}

const plain: Romanizer = (text, pick) => {
  const bare = text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ł", "l")
    .replaceAll("Ł", "L")
    .replaceAll("ı", "i")
    .replaceAll("ø", "o")
    .replaceAll("đ", "d")
    .replaceAll("Đ", "D");
  return pick([text, bare]);
};
const german: Romanizer = (text, pick) =>
  pick([
    text,
    text.replaceAll("ü", "ue").replaceAll("ö", "oe").replaceAll("ä", "ae").replaceAll("ß", "ss"),
    text.replaceAll("ü", "u").replaceAll("ö", "o").replaceAll("ä", "a").replaceAll("ß", "ss"),
  ]);
const thaiLatin: Romanizer = (text) => capital(thai(text));

export const cultures: readonly Culture[] = [
  ofFaker("Cyrillic", "RU", fakerRU, russian),
  ofFaker("Ukrainian", "UA", fakerUK, ukrainianLatin),
  ofFaker("Greek", "GR", fakerEL, greek),
  ofTables("Arabic", "IQ", arabicGiven, arabicFamily),
  ofTables("Hebrew", "IL", hebrewGiven, hebrewFamily),
  ofSyllables("Chinese", "CN", fakerZH_CN, chinese),
  ofSyllables("Korean", "KP", fakerKO, korean),
  ofScript("Kana", "JP", [kanaGiven, kanaFamily], japanese),
  ofScript("Devanagari", "IN", [devanagariGiven, devanagariFamily], indic),
  ofScript("Bengali", "BD", [devanagariGiven, devanagariFamily], indic, toBengali),
  ofScript("Gujarati", "IN", [devanagariGiven, devanagariFamily], indic, toGujarati),
  ofFaker("Armenian", "AM", fakerHY, armenian),
  ofFaker("Georgian", "GE", fakerKA_GE, georgian),
  ofFaker("Thai", "TH", fakerTH, thaiLatin),
];

export const latinCultures: readonly Culture[] = [
  ofFaker("German", "DE", fakerDE, german),
  ...(
    [
      ["English", "GB", fakerEN],
      ["French", "FR", fakerFR],
      ["Spanish", "CO", fakerES],
      ["Italian", "IT", fakerIT],
      ["Polish", "PL", fakerPL],
      ["Turkish", "TR", fakerTR],
      ["Portuguese", "BR", fakerPT_BR],
      ["Romanian", "RO", fakerRO],
      ["Hungarian", "HU", fakerHU],
      ["Dutch", "NL", fakerNL],
      ["Swedish", "SE", fakerSV],
      ["Vietnamese", "VN", fakerVI],
      ["Nigerian", "NG", fakerEN_NG],
      ["Serbian", "RS", fakerSR_RS_latin],
      ["Azeri", "AZ", fakerAZ],
      ["Croatian", "HR", fakerHR],
    ] as const
  ).map(([name, country, faker]) => ofFaker(name, country, faker, plain)),
];
