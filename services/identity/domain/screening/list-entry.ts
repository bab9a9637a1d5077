import type { BirthSpan } from "./birth-date";

export const entryKinds = ["PERSON", "COMPANY", "VESSEL", "UNKNOWN"] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface ListedName {
  text: string;
  /** Lists mark aliases as weak if they are too broad to identify someone alone. */
  isWeak: boolean;
}

export interface ListedDocument {
  type: string;
  number: string;
}

/** A person or a thing that must not be served, with everything that the list says about it. */
export interface ListEntry {
  id: string;
  kind: EntryKind;
  names: readonly ListedName[];
  births: readonly BirthSpan[];
  birthPlaces: readonly string[];
  documents: readonly ListedDocument[];
  /** ISO 3166-1 alpha-2. */
  countries: readonly string[];
  programmes: readonly string[];
}

/** The subject to look up. Undefined fields are unknown. */
export interface Subject {
  firstName?: string | undefined;
  lastName?: string | undefined;
  companyName?: string | undefined;
  /** A name of a person or a company that is not split into parts. */
  fullName?: string | undefined;
  birthDate?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  countries?: readonly string[] | undefined;
  /** Country of residence, which need not be that of origin; alpha-2. */
  residences?: readonly string[] | undefined;
  /** Numbers of identity documents, of companies in registers, and IMO numbers of vessels. */
  documents?: readonly string[] | undefined;
}

/** A factor that counted for or against a hit, in points out of a hundred. Names only data of the entry. */
export interface Factor {
  factor: string;
  points: number;
  /** The listed word, date or country that it is about. */
  listed: string;
}

/** Numbers of documents are compared by letters and digits only; too short ones prove nothing. */
export function comparableDocument(number: string): string | undefined {
  const text = number
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replace(/^IMO(?=\d{7}$)/, "");
  return text.length >= 5 && /\d/.test(text) ? text : undefined;
}
