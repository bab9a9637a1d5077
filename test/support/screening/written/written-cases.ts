import type { ListEntry, Subject } from "../../../../services/identity/domain/screening/list-entry";
import type { Pick } from "../cultures";
import { makeNameWorld, type NameCase, type NameWorld, pickOf, randomOf } from "../name-cases";
import { plainly } from "../plain-words";
import { easternBanks } from "./bank-east";
import { westernBanks } from "./bank-west";
import { cleanFirm, firmHit } from "./firm-cases";
import { type Mutation, mutations, type Parts } from "./mutations";
import type { BankWord, NameBank } from "./name-bank";

/** The banks that the matcher was tuned with, and others. */
export const knownBanks: readonly NameBank[] = [...westernBanks, ...easternBanks];
/** Their spellings in Latin letters merge so many names that a birth date has to agree. */
const needDate = new Set(["Chinese", "Traditional", "Korean", "Japanese", "Katakana", "Kanji"]);
const familyFirst = new Set(["Chinese", "Traditional", "Korean", "Japanese", "Katakana", "Kanji", "Vietnamese"]);
const unspaced = new Set(["Chinese", "Traditional", "Korean", "Kanji"]);

/** Short names with their full names, other than those that the matcher was built with. */
const petNames: readonly (readonly [string, string])[] = [
  ...([
    ["Theodore", "Ted"],
    ["Alexander", "Sasha"],
    ["Dmitry", "Dima"],
    ["Yekaterina", "Katya"],
  ] as const),
  ...([
    ["Charles", "Chuck"],
    ["Lawrence", "Larry"],
    ["Henry", "Harry"],
    ["Vyacheslav", "Slava"],
  ] as const),
  ...([
    ["Francisco", "Paco"],
    ["Giuseppe", "Beppe"],
    ["Guadalupe", "Lupe"],
    ["Jesús", "Chuy"],
  ] as const),
  ...([
    ["Heinrich", "Heinz"],
    ["Josef", "Sepp"],
    ["Elisabeth", "Lisl"],
    ["Yevgeny", "Zhenya"],
  ] as const),
  ...([
    ["Abigail", "Abby"],
    ["Christopher", "Kit"],
    ["Patrick", "Paddy"],
    ["Mikhail", "Misha"],
  ] as const),
  ...([
    ["Stanisław", "Staszek"],
    ["Katarzyna", "Kasia"],
    ["Panagiotis", "Takis"],
    ["Konstantinos", "Kostas"],
  ] as const),
  ...([
    ["Oleksandr", "Sashko"],
    ["Volodymyr", "Vova"],
    ["Ibrahim", "Ibo"],
    ["Süleyman", "Sulo"],
  ] as const),
  ...([
    ["Joseph", "Joe"],
    ["Benjamin", "Benny"],
    ["Samuel", "Sam"],
    ["Nikolai", "Kolya"],
  ] as const),
  ...([
    ["Pavel", "Pasha"],
    ["Grigory", "Grisha"],
    ["Jennifer", "Jenny"],
    ["Gregory", "Greg"],
  ] as const),
];

interface Someone {
  bank: NameBank;
  given: BankWord;
  family: BankWord;
}

interface Listed extends Someone {
  entry: ListEntry;
  born: string | undefined;
}

const pad = (number: number): string => String(number).padStart(2, "0");
const spelled = (word: BankWord, pick: Pick): string => pick(word.latin);
const nativeOf = ({ bank, given, family }: Someone): string => {
  if (unspaced.has(bank.culture)) return family.native + given.native;
  return familyFirst.has(bank.culture) ? `${family.native} ${given.native}` : `${given.native} ${family.native}`;
};
/** Half of the families are on the list, whatever the script; the others are not. */
const halfOf = (options: readonly BankWord[], side: 0 | 1): BankWord[] =>
  options.filter(({ latin }) => ((latin[0] ?? "").charCodeAt(2) + (latin[0] ?? "").length) % 2 === side);

/** People of the banks on a list with others, in every spelling and disguise; and other people and firms. */
export function makeWrittenWorld(
  seed: number,
  size: number,
  hitCount: number,
  cleanCount: number,
  banks: readonly NameBank[] = knownBanks,
): NameWorld {
  const random = randomOf(seed);
  const pick = pickOf(random);
  const dateOf = (): string =>
    `${1945 + Math.floor(random() * 50)}-${pad(1 + Math.floor(random() * 12))}-${pad(1 + Math.floor(random() * 28))}`;
  const entries: ListEntry[] = [];
  const known = new Map<string, Listed>();
  const add = ({ names, ...facts }: NewEntry): ListEntry => {
    const none = { births: [], birthPlaces: [], documents: [], countries: [], programmes: ["INVENTED"] };
    const made = { ...none, id: `w${entries.length}`, ...facts, names: names.map((text) => ({ text, isWeak: false })) };
    entries.push(made);
    return made;
  };
  const list = (bank: NameBank): Listed => {
    const someone = { bank, given: pick(bank.given), family: pick(halfOf(bank.family, 0)) };
    const key = `${someone.given.latin[0]} ${someone.family.latin[0]}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const latin = `${spelled(someone.given, pick)} ${spelled(someone.family, pick)}`;
    const native = nativeOf(someone);
    const born = random() < 0.7 || needDate.has(bank.culture) ? dateOf() : undefined;
    const births = born === undefined ? [] : [{ from: born, to: born }];
    const names = pick([[native], [latin], [native, latin], [latin, native]]);
    const countries = random() < 0.7 ? [bank.country] : [];
    const listed = { ...someone, born, entry: add({ kind: "PERSON", names, births, countries }) };
    known.set(key, listed);
    return listed;
  };
  const tools = { random, pick, list, add, dateOf, banks };
  const hits = hitCases(tools, hitCount);
  const isListed = (first: string | undefined, { latin: [last] }: BankWord): boolean => known.has(`${first} ${last}`);
  const filler = makeNameWorld(seed ^ 0x5eed, size - entries.length, 0, 0).entries;
  const people = { listed: [...entries], relatives: [...known.values()], isListed, isNamesake: namesakesOf(filler) };
  const clean = cleanCases({ ...tools, ...people }, cleanCount);
  return { entries: [...entries, ...filler], hits, clean };
}

type NewEntry = Partial<Omit<ListEntry, "names">> & { kind: ListEntry["kind"]; names: readonly string[] };

interface Tools {
  random: () => number;
  pick: Pick;
  list(bank: NameBank): Listed;
  add(entry: NewEntry): ListEntry;
  dateOf(): string;
  banks: readonly NameBank[];
}

function hitCases({ random, pick, list, add, dateOf, banks }: Tools, count: number): NameCase[] {
  const hits: NameCase[] = [];
  const facts = ({ born, bank }: Listed): Partial<Subject> => ({
    ...(born !== undefined && (needDate.has(bank.culture) || random() < 0.5) && { birthDate: born }),
    ...(random() < 0.4 && { countries: [bank.country] }),
  });
  const latinOf = ({ given, family }: Someone): Parts => ({ first: spelled(given, pick), last: spelled(family, pick) });
  const hit = (kind: string, listed: Listed, { first, last }: Parts): void => {
    const isOne = random() < 0.5;
    const name = isOne ? { fullName: `${first} ${last}`.trim() } : { firstName: first, lastName: last };
    hits.push({ kind, subject: { ...name, ...facts(listed) }, entryId: listed.entry.id });
  };
  const makers: (() => void)[] = [
    ...banks.map((bank) => () => {
      const listed = list(bank);
      hit(`spelling ${bank.culture}`, listed, latinOf(listed));
    }),
    ...banks.map((bank) => () => {
      const listed = list(bank);
      const subject = { fullName: nativeOf(listed), ...facts(listed) };
      hits.push({ kind: `own script ${bank.culture}`, subject, entryId: listed.entry.id });
    }),
    ...Object.entries(mutations).map(([kind, mutate]) => () => {
      for (;;) {
        const listed = list(pick(banks.filter(({ culture }) => !needDate.has(culture) && culture !== "Vietnamese")));
        const asked = mutated(listed, mutate, pick);
        if (asked !== undefined) return hit(kind, listed, asked);
      }
    }),
    () => {
      const [whole, short] = pick(petNames);
      const family = pick(pick(westernBanks).family).latin[0] ?? "";
      const born = dateOf();
      const { id } = add({ kind: "PERSON", names: [`${whole} ${family}`], births: [{ from: born, to: born }] });
      hits.push({ kind: "pet name", subject: { firstName: short, lastName: family, birthDate: born }, entryId: id });
    },
    () => {
      const { kind, listed, asked } = firmHit(pick);
      const { id } = add({ kind: "COMPANY", names: [listed] });
      hits.push({ kind, subject: { companyName: asked }, entryId: id });
    },
  ];
  for (let at = 0; hits.length < count; at++) makers[at % makers.length]?.();
  return hits;
}

/** The listed spelling itself in another form, so that a miss is due to the form. */
function mutated({ entry, given, family }: Listed, mutate: Mutation, pick: Pick): Parts | undefined {
  const latin = entry.names.map(({ text }) => text).find((text) => /^[\p{Script=Latin}\p{P} ]+$/u.test(text));
  if (latin === undefined) return undefined;
  const last = family.latin.find((one) => latin.endsWith(` ${one}`)) ?? family.native;
  const first = latin.slice(0, latin.length - last.length - 1);
  return given === undefined || first === "" ? undefined : mutate({ first, last }, pick);
}

interface People {
  listed: readonly ListEntry[];
  relatives: readonly Listed[];
  isListed(first: string | undefined, family: BankWord): boolean;
  /** Whether one of the others on the list has the same names, however spelled. */
  isNamesake(given: BankWord, family: BankWord): boolean;
}

/** A person with the names of an entry and no other difference is rightly reviewed. */
function namesakesOf(filler: readonly ListEntry[]): People["isNamesake"] {
  const byWord = new Map<string, Set<string>>();
  for (const { id, names } of filler) {
    for (const word of names.flatMap(({ text }) => text.replaceAll("-", "").split(" ")))
      byWord.set(plainly(word), (byWord.get(plainly(word)) ?? new Set()).add(id));
  }
  const having = ({ native, latin }: BankWord): string[] =>
    [native, ...latin]
      .flatMap((text) => [text.replaceAll(/[ -]/g, ""), ...text.split(/[ -]/)])
      .flatMap((word) => [...(byWord.get(plainly(word)) ?? [])]);
  return (given, family) => {
    const families = new Set(having(family));
    return having(given).some((id) => families.has(id));
  };
}

function cleanCases(tools: Tools & People, count: number): NameCase[] {
  const { random, pick, dateOf, listed, relatives, isListed, isNamesake, banks } = tools;
  const clean: NameCase[] = [];
  const people = listed.filter(
    ({ kind, births, countries }) => kind === "PERSON" && births.length + countries.length > 1,
  );
  const facts = (country: string): Partial<Subject> => ({
    ...(random() < 0.6 && { birthDate: dateOf() }),
    ...(random() < 0.5 && { countries: [country] }),
  });
  while (clean.length < count) {
    const bank = pick(banks);
    const which = random();
    const given = pick(bank.given);
    if (which < 0.12) {
      const { names, births, countries } = pick(people);
      const year = Number.parseInt(births[0]?.from ?? "1950", 10) + pick([-19, -11, -7, 7, 12, 17]);
      const other = pick(banks.map(({ country }) => country).filter((one) => !countries.includes(one)));
      const subject = { fullName: pick(names).text, birthDate: `${year}-03-17`, countries: [other] };
      clean.push({ kind: "namesake", subject, entryId: undefined });
    } else if (which < 0.22) {
      const relative = pick(relatives);
      const other = pick(relative.bank.given);
      if (isListed(other.latin[0], relative.family) || isNamesake(other, relative.family)) continue;
      const name = { firstName: spelled(other, pick), lastName: spelled(relative.family, pick) };
      clean.push({ kind: "relative", subject: { ...name, ...facts(relative.bank.country) }, entryId: undefined });
    } else if (which < 0.35)
      clean.push({ kind: "firm", subject: { companyName: cleanFirm(pick) }, entryId: undefined });
    else {
      const kind = which < 0.45 ? "other in own script" : "other";
      const someone = { bank, given, family: pick(halfOf(bank.family, 1)) };
      if (isNamesake(given, someone.family)) continue;
      const name =
        kind === "other in own script"
          ? { fullName: nativeOf(someone) }
          : { firstName: spelled(given, pick), lastName: spelled(someone.family, pick) };
      clean.push({ kind: `${kind} ${bank.culture}`, subject: { ...name, ...facts(bank.country) }, entryId: undefined });
    }
  }
  return clean;
}
