import type { ListEntry, Subject } from "../../../services/identity/domain/screening/list-entry";
import { firmForms, firmStem, firmWords } from "./companies";
import { type Culture, cultures, latinCultures, type Person, type Pick, type Spelling } from "./cultures";
import { describedBy } from "./plain-words";
import { petNames, wadeGiles } from "./spelled-names";

/** A person that must, or must not, be found. */
export interface NameCase {
  kind: string;
  subject: Subject;
  /** The entry that must be found; undefined for a person who must not be stopped. */
  entryId: string | undefined;
}

export interface NameWorld {
  entries: ListEntry[];
  hits: NameCase[];
  clean: NameCase[];
}

/** A generator of numbers from 0 to 1 that repeats itself for a seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pickOf =
  (random: () => number): Pick =>
  (options) => {
    const chosen = options[Math.floor(random() * options.length)];
    if (chosen === undefined) throw new Error("nothing to pick from");
    return chosen;
  };

const pad = (number: number): string => String(number).padStart(2, "0");
const dateOf = (random: () => number): string =>
  `${1940 + Math.floor(random() * 60)}-${pad(1 + Math.floor(random() * 12))}-${pad(1 + Math.floor(random() * 28))}`;
const join = ({ first, last }: Spelling): string => `${first} ${last}`;
const everyCulture = [...cultures, ...latinCultures];
const countries = [...new Set(everyCulture.map(({ country }) => country))];

interface Listed {
  entry: ListEntry;
  person: Person;
  latin: Spelling;
}

const emptyEntry = { birthPlaces: [], documents: [], programmes: ["INVENTED"] };

/** Makes a list of `size` entries and cases for it, all invented, and the same for the same seed. */
export function makeNameWorld(seed: number, size: number, hitCount: number, cleanCount: number): NameWorld {
  const random = randomOf(seed);
  const pick = pickOf(random);
  const taken = new Set<string>();
  const entries: ListEntry[] = [];
  const hits: NameCase[] = [];
  const isNew = (person: Person): boolean => {
    const plain = join(person.latin(pickOf(() => 0)))
      .normalize("NFD")
      .replaceAll(/[^A-Za-z ]/g, "")
      .toLowerCase();
    const keys = [person.source, plain];
    const isOld = keys.some((key) => taken.has(key));
    for (const key of keys) taken.add(key);
    return !isOld;
  };
  const newPerson = (from: readonly Culture[], side: 0 | 1 = 0): { person: Person; country: string } => {
    for (;;) {
      const culture = pick(from);
      const person = culture.make(pick, side);
      if (isNew(person)) return { person, country: culture.country };
    }
  };
  const list = (person: Person, country: string): Listed => {
    const latin = person.latin(pick);
    const names = pick([[join(person.native), join(latin)], [join(latin)], [join(latin)], [join(person.native)]]);
    const born = dateOf(random);
    const births = random() < 0.7 ? [pick([{ from: born, to: born }, { from: born, to: born }, yearOf(born)])] : [];
    const entry: ListEntry = {
      ...emptyEntry,
      id: `e${entries.length}`,
      kind: "PERSON",
      names: names.map((text) => ({ text, isWeak: false })),
      births,
      countries: random() < 0.8 ? [country] : [],
    };
    entries.push(entry);
    return { entry, person, latin };
  };
  const makers = hitMakers({ random, pick, list, newPerson, entries });
  for (let count = 0; count < hitCount; count++) {
    const [kind, make] = makers[count % makers.length] ?? ["", () => undefined];
    const made = make();
    if (made !== undefined) hits.push({ kind, ...made });
  }
  while (entries.length < size) {
    const { person, country } = newPerson(everyCulture);
    if (random() < 0.2) entries.push(firmEntry(`e${entries.length}`, pick));
    else list(person, country);
  }
  return { entries, hits, clean: cleanCases({ random, pick, newPerson, entries }, cleanCount) };
}

const yearOf = (date: string): { from: string; to: string } => ({
  from: `${date.slice(0, 4)}-01-01`,
  to: `${date.slice(0, 4)}-12-31`,
});

const firmEntry = (id: string, pick: Pick): ListEntry => ({
  ...emptyEntry,
  id,
  kind: "COMPANY",
  names: [{ text: `${firmStem(pick)} ${firmStem(pick)} ${pick(firmWords)[0]} ${pick(firmForms)[0]}`, isWeak: false }],
  births: [],
  countries: [],
});

interface Tools {
  random: () => number;
  pick: Pick;
  newPerson(from: readonly Culture[], side?: 0 | 1): { person: Person; country: string };
  entries: ListEntry[];
}

type Made = Pick_<NameCase, "subject" | "entryId"> | undefined;
type Pick_<T, K extends keyof T> = { [P in K]: T[P] };

function hitMakers(tools: Tools & { list(person: Person, country: string): Listed }): [string, () => Made][] {
  const { random, pick, list, newPerson, entries } = tools;
  const born = ({ births }: ListEntry): string | undefined => births[0]?.from;
  const withFacts = ({ entry }: Listed, isDated: boolean): Partial<Subject> => ({
    ...(isDated && { birthDate: born(entry) }),
    ...(random() < 0.5 && entry.countries.length > 0 && { countries: entry.countries }),
  });
  const dated = (listed: Listed): void => {
    if (listed.entry.births.length === 0) Object.assign(listed.entry, { births: [yearOf("1961-01-01")] });
  };
  const some = (from: readonly Culture[]): Listed => {
    const { person, country } = newPerson(from);
    return list(person, country);
  };
  const of = (listed: Listed, spelling: Spelling, isDated = random() < 0.5): Made => ({
    subject: { firstName: spelling.first, lastName: spelling.last, ...withFacts(listed, isDated) },
    entryId: listed.entry.id,
  });
  const scripts = cultures.map((culture): [string, () => Made] => [
    `script ${culture.name}`,
    () => {
      const listed = some([culture]);
      const isLoose = ["Korean", "Kana", "Thai"].includes(culture.name);
      if (isLoose) dated(listed);
      return of(listed, random() < 0.15 ? listed.person.native : listed.person.latin(pick), isLoose || random() < 0.5);
    },
  ]);
  const rewritten = (
    kind: string,
    rewrite: (spelling: Spelling, listed: Listed) => Spelling | undefined,
  ): [string, () => Made] => [
    kind,
    () => {
      for (;;) {
        const listed = some(latinCultures);
        const spelling = rewrite(listed.latin, listed);
        if (spelling !== undefined) return of(listed, spelling, kind === "initials" ? true : undefined);
        entries.pop();
      }
    },
  ];
  return [...scripts, ...spellingMakers(tools, rewritten), ...otherMakers(tools, of, list)];
}

type Rewritten = (
  kind: string,
  rewrite: (spelling: Spelling, listed: Listed) => Spelling | undefined,
) => [string, () => Made];

const slip = (word: string, { random, pick }: { random: () => number; pick: Pick }): string => {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const letter = pick([..."abdegiklmnoprstuv"]);
  return pick([
    () => word.slice(0, at) + letter + word.slice(at + 1),
    () => word.slice(0, at) + letter + word.slice(at),
    () => word.slice(0, at) + word.slice(at + 1),
    () => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  ])();
};

const twins = new Map(
  [..."aeopcxyiAEOPCXTBMHK"].map((letter, index) => [letter, [..."аеорсхуіАЕОРСХТВМНК"][index] ?? letter]),
);
const hidden = ["\u200b", "\u200d", "\u00ad", "\u0007", "\u007f", "\ufff9", "\u2060", "\u202d", "\u034f", "\ufe0f"];

function spellingMakers(tools: Tools, rewritten: Rewritten): [string, () => Made][] {
  const { random, pick } = tools;
  const amid = (text: string, sign: string): string => {
    const at = 1 + Math.floor(random() * (text.length - 1));
    return text.slice(0, at) + sign + text.slice(at);
  };
  return [
    rewritten("slip", ({ first, last }) =>
      last.length < 7 || last.includes(" ") ? undefined : { first, last: slip(last, tools) },
    ),
    rewritten("swapped", ({ first, last }) => ({ first: last, last: first })),
    rewritten("capitals and accents", ({ first, last }) => ({
      first: first.toUpperCase(),
      last: last.toUpperCase().normalize("NFD"),
    })),
    rewritten("joined", ({ first, last }) => ({ first: "", last: (first + last.toLowerCase()).replaceAll(" ", "") })),
    rewritten("split", ({ first, last }) => {
      const at = Math.floor(last.length / 2);
      return last.length < 7 || last.includes(" ")
        ? undefined
        : { first, last: `${last.slice(0, at)} ${last.slice(at)}` };
    }),
    rewritten("honorific", ({ first, last }) => ({
      first: `${pick(["Mr", "Dr.", "Prof.", "Sheikh", "Hajji", "Gen.", "Señor", "Herr", "Eng."])} ${first}`,
      last,
    })),
    rewritten("extra part", ({ first, last }) => ({
      first: `${first} ${pick(["Kalliopi", "Wojtek", "Bartholomew", "Tsegaye"])}`,
      last,
    })),
    rewritten("initials", ({ first, last }, { entry }) =>
      last.length < 7 || entry.births.length === 0 ? undefined : { first: `${first.charAt(0)}.`, last },
    ),
    rewritten("hidden signs", ({ first, last }) => ({
      first: amid(first, pick(hidden)),
      last: amid(last, pick(hidden)),
    })),
    rewritten("written backwards", ({ first, last }) => ({
      first: "",
      last: `\u202e${[...`${first} ${last}`].toReversed().join("")}`,
    })),
    rewritten("look-alikes", ({ first, last }) => ({
      first,
      last: [...last].map((letter) => twins.get(letter) ?? letter).join(""),
    })),
    rewritten("figures", ({ first, last }) =>
      /[oil]/.test(last) && last.length > 5 ? { first, last: last.replace("o", "0").replace(/[il]/, "1") } : undefined,
    ),
    rewritten("spaces and signs", ({ first, last }) => ({ first: ` ${first}\u00a0,`, last: `${last}.  ` })),
  ];
}

type Of = (listed: Listed, spelling: Spelling, isDated?: boolean) => Made;

function otherMakers(tools: Tools, of: Of, list: (person: Person, country: string) => Listed): [string, () => Made][] {
  const { random, pick, newPerson, entries } = tools;
  const fixed = (spelling: Spelling): Person => ({ native: spelling, source: join(spelling), latin: () => spelling });
  return [
    [
      "pet name",
      () => {
        const { person, country } = newPerson(latinCultures);
        const [whole = "", ...short] = pick(petNames);
        const { last } = person.latin(pick);
        return of(list(fixed({ first: whole, last }), country), { first: pick(short), last });
      },
    ],
    [
      "missing part",
      () => {
        const { person, country } = newPerson(latinCultures);
        const { first, last } = person.latin(pick);
        const listed = list(
          fixed({ first: `${first} ${pick(["Ivanovich", "Kerem", "Anselm", "Bakr"])}`, last }),
          country,
        );
        return of(listed, { first, last }, listed.entry.births.length > 0);
      },
    ],
    [
      "Wade–Giles",
      () => {
        const known = pick(wadeGiles);
        const [last = "", first = ""] = known.pinyin.split(" ");
        const listed = list(fixed({ first, last }), "CN");
        Object.assign(listed.entry, { births: [{ from: "1931-05-06", to: "1931-05-06" }] });
        const [family = "", given = ""] = known.wade.split(" ");
        return of(listed, { first: given, last: family }, true);
      },
    ],
    [
      "document",
      () => {
        const { person, country } = newPerson(latinCultures);
        const listed = list(person, country);
        const number = `P${Math.floor(random() * 1e7)}X`;
        Object.assign(listed.entry, { documents: [{ type: "PASSPORT", number: number.replace("P", "P-") }] });
        return { subject: { firstName: "Other", lastName: "Somebody", documents: [number] }, entryId: listed.entry.id };
      },
    ],
    [
      "company form",
      () =>
        firmCase(tools, (stem, word, forms) => [
          `${stem} ${word[0]} ${forms[0]}`,
          `${stem} ${word[0]} ${pick(pick(firmForms))}`,
        ]),
    ],
    [
      "company short word",
      () => firmCase(tools, (stem, word, forms) => [`${stem} ${word[0]} ${forms[0]}`, `${stem} ${pick(word)}`]),
    ],
    [
      "company spelling",
      () =>
        firmCase(tools, (stem, word, forms) => [
          `${stem} ${word[0]} ${forms[0]}`,
          `${slip(stem, tools)} ${word[0]} ${pick(forms)}`.toUpperCase(),
        ]),
    ],
    [
      "vessel",
      () => {
        const imo = String(1_000_000 + Math.floor(random() * 8_999_999));
        const id = `e${entries.length}`;
        entries.push({
          ...firmEntry(id, pick),
          kind: "VESSEL",
          names: [{ text: `MV ${firmStem(pick)}`, isWeak: false }],
          documents: [{ type: "IMO", number: `IMO ${imo}` }],
        });
        return { subject: { companyName: "Other Star", documents: [imo] }, entryId: id };
      },
    ],
  ];
}

function firmCase(
  { pick, entries }: Tools,
  name: (stem: string, word: readonly string[], forms: readonly string[]) => readonly [string, string],
): Made {
  const id = `e${entries.length}`;
  const [listed, asked] = name(`${firmStem(pick)} ${firmStem(pick)}`, pick(firmWords), pick(firmForms));
  entries.push({ ...firmEntry(id, pick), names: [{ text: listed, isWeak: false }] });
  return { subject: { companyName: asked }, entryId: id };
}

function cleanCases({ random, pick, newPerson, entries }: Tools, count: number): NameCase[] {
  const people = entries.filter(({ kind }) => kind === "PERSON");
  const firms = entries.filter(({ kind }) => kind === "COMPANY");
  const facts = (country: string): Partial<Subject> => ({
    ...(random() < 0.6 && { birthDate: dateOf(random) }),
    ...(random() < 0.5 && { countries: [country] }),
  });
  const isDescribed = describedBy(people);
  const clean: NameCase[] = [];
  while (clean.length < count) {
    const which = random();
    const { person, country } = newPerson(everyCulture, 1);
    const { first, last } = person.latin(pick);
    if (which < 0.12) {
      const { id, names, births, countries: own } = pick(people);
      if (births.length * own.length === 0 || names.some(({ text }) => isDescribed(text, id))) continue;
      const birthDate = `${Number.parseInt(births[0]?.from ?? "", 10) + pick([-14, -9, -6, 6, 11, 19])}-03-17`;
      const other = pick(countries.filter((one) => !own.includes(one)));
      clean.push({
        kind: "namesake",
        subject: { fullName: pick(names).text, birthDate, countries: [other] },
        entryId: undefined,
      });
    } else if (which < 0.24) {
      const trade = `${pick(pick(firmWords))} ${pick(pick(firmForms))}`;
      clean.push({
        kind: "company",
        subject: { companyName: `${firmStem(pick)} ${firmStem(pick)} ${trade}` },
        entryId: undefined,
      });
    } else if (which < 0.28) {
      const { names } = pick(firms);
      const [, , ...common] = (names[0]?.text ?? "").split(" ");
      clean.push({
        kind: "company in the same trade",
        subject: { companyName: `${firmStem(pick)} ${firmStem(pick)} ${common.join(" ")}` },
        entryId: undefined,
      });
    } else if (isDescribed(`${first} ${last}`)) continue;
    else if (which < 0.38)
      clean.push({
        kind: "own script",
        subject: { firstName: person.native.first, lastName: person.native.last, ...facts(country) },
        entryId: undefined,
      });
    else if (which < 0.48)
      clean.push({ kind: "name alone", subject: { fullName: `${first} ${last}` }, entryId: undefined });
    else
      clean.push({
        kind: "person",
        subject: { firstName: first, lastName: last, ...facts(country) },
        entryId: undefined,
      });
  }
  return clean;
}
