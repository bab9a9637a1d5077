import { alpha3ToAlpha2, getAlpha2Code, getName, registerLocale } from "i18n-iso-countries";
import english from "i18n-iso-countries/langs/en.json";
import { parseInstant, plusMs, utcDate } from "../../../shared/kernel/clock";
import type { BirthSpan } from "../screening/birth-date";
import type { EntryKind, ListEntry } from "../screening/list-entry";

registerLocale(english);

/** The result of loading a file. */
export interface LoadedList {
  version: string;
  /** Time of publication, if the file gives it. */
  madeAt: Date | undefined;
  entries: ListEntry[];
}

/** An entry under construction, while rows or elements are read. */
export interface DraftEntry {
  id: string;
  kind: EntryKind;
  names: Map<string, boolean>;
  births: BirthSpan[];
  birthPlaces: Set<string>;
  documents: Map<string, string>;
  countries: Set<string>;
  programmes: Set<string>;
}

export const draftOf = (id: string, kind: EntryKind): DraftEntry => ({
  ...{ id, kind, names: new Map(), births: [], birthPlaces: new Set() },
  ...{ documents: new Map(), countries: new Set(), programmes: new Set() },
});

/** An alias that is strong anywhere in the list stays strong. */
export function addName(draft: DraftEntry, text: string, isWeak = false): void {
  const name = text.replaceAll(/\s+/g, " ").trim();
  if (/\p{L}|\p{N}/u.test(name)) draft.names.set(name, isWeak && (draft.names.get(name) ?? true));
}

export function addTo(set: Set<string>, text: string | undefined): void {
  const value = (text ?? "").trim();
  if (value !== "" && value !== "-0-") set.add(value);
}

export const addDocument = (draft: DraftEntry, type: string, number: string): unknown =>
  number.trim() === "" ? undefined : draft.documents.set(number.trim(), type.trim() || "DOCUMENT");

/** Throws for an entry with nothing to find it by: it would be missed silently. */
export function finished(drafts: Iterable<DraftEntry>, list: string): ListEntry[] {
  return [...drafts].map(({ id, kind, names, births, birthPlaces, documents, countries, programmes }) => {
    if (id === "" || names.size === 0) throw new Error(`an entry of the ${list} list has no id or no name: "${id}"`);
    return {
      ...{ id, kind, births },
      names: [...names].map(([text, isWeak]) => ({ text, isWeak })),
      birthPlaces: [...birthPlaces],
      documents: [...documents].map(([number, type]) => ({ number, type })),
      countries: [...countries],
      programmes: [...programmes],
    };
  });
}

const otherNames = new Map(
  Object.entries({
    uae: "AE",
    "united arab emirates": "AE",
    russia: "RU",
    iran: "IR",
    syria: "SY",
    "north korea": "KP",
    dprk: "KP",
    "democratic people's republic of korea": "KP",
    "korea, north": "KP",
    "korea, south": "KR",
    "south korea": "KR",
    burma: "MM",
    "myanmar (burma)": "MM",
    uk: "GB",
    "united kingdom": "GB",
    usa: "US",
    "cote d ivoire": "CI",
    moldova: "MD",
    venezuela: "VE",
    bolivia: "BO",
    tanzania: "TZ",
    vietnam: "VN",
    laos: "LA",
    "west bank": "PS",
    palestinian: "PS",
    "democratic republic of the congo": "CD",
    "congo (democratic republic)": "CD",
    kosovo: "XK",
    turkey: "TR",
    taiwan: "TW",
  }),
);

/** Returns the alpha-2 codes of countries as lists write them: a code, or an English name with numbers and remarks around it. */
export function countriesOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(/\(\d+\)|;|\/|\|/)
    .map((part) => part.replaceAll(/\.$/g, "").trim())
    .flatMap((name) => {
      if (/^[A-Za-z]{2}$/.test(name))
        return getName(name.toUpperCase(), "en") === undefined ? [] : [name.toUpperCase()];
      if (/^[A-Z]{3}$/.test(name)) return alpha3ToAlpha2(name) ?? [];
      return otherNames.get(name.toLowerCase()) ?? getAlpha2Code(name, "en") ?? [];
    });
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const two = (number: number | string): string => String(number).padStart(2, "0");
const yearSpan = (from: number, to: number): BirthSpan => ({ from: `${two(from)}-01-01`, to: `${two(to)}-12-31` });
const dayMs = 86_400_000;
const lastDay = (year: number, month: number): number => plusMs(utcDate(year, month, 1), -dayMs).getUTCDate();

/** Number of years before and after a date that a list marks as approximate. */
const about = 2;

/** Reads a year, a month, a day or a range, with the text that lists put around it; undefined for anything that is not a date. */
export function birthSpanOf(text: string): BirthSpan | undefined {
  const plain = text.trim().toLowerCase();
  const isAbout = /circa|approx|c\.|about|between/.test(plain);
  const years = [...plain.matchAll(/(?<!\d)(1[89]\d\d|20\d\d)(?!\d)/g)].map(([year]) => Number.parseInt(year, 10));
  const [first, second] = years;
  if (first === undefined) return undefined;
  if (second !== undefined) return yearSpan(Math.min(first, second), Math.max(first, second));
  const day = dayOf(plain, first);
  if (day !== undefined && !isAbout) return day;
  return isAbout ? yearSpan(first - about, first + about) : yearSpan(first, first);
}

function dayOf(text: string, year: number): BirthSpan | undefined {
  const written = /(?:(\d{1,2})\s+)?([a-z]{3})[a-z]*\.?\s+\d{4}/.exec(text);
  const iso = /\d{4}-(\d\d)(?:-(\d\d))?/.exec(text);
  const slashed = /(\d{1,2})[/.](\d{1,2})[/.]\d{4}/.exec(text);
  const month = iso?.[1] ?? slashed?.[2] ?? (written === null ? undefined : two(months.indexOf(written[2] ?? "") + 1));
  const day = iso === null ? (slashed?.[1] ?? written?.[1]) : iso[2];
  const [inYear, inMonth] = [Number.parseInt(month ?? "0", 10), Number.parseInt(day ?? "0", 10)];
  if (inYear < 1 || inYear > 12 || inMonth > 31) return undefined;
  const at = `${year}-${two(inYear)}`;
  if (inMonth > 0) return { from: `${at}-${two(inMonth)}`, to: `${at}-${two(inMonth)}` };
  return { from: `${at}-01`, to: `${at}-${two(lastDay(year, inYear))}` };
}

/** Reads a day as written in the header of a list. */
export function dayAt(text: string | undefined): Date | undefined {
  const span = text === undefined ? undefined : birthSpanOf(usDay(text));
  return span === undefined || span.from !== span.to ? undefined : parseInstant(span.from);
}

const usDay = (text: string): string => text.replace(/^(\d\d)-([A-Za-z]{3})-(\d{4})$/, "$1 $2 $3");
