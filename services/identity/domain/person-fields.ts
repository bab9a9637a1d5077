import { alpha2ToAlpha3 } from "i18n-iso-countries";
import { readCallerText } from "../../shared/kernel/caller-text";
import { parseInstant } from "../../shared/kernel/clock";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import { type GivenParty, givenParties, type RelatedParty, readRelatedParties } from "./related-parties";

export type PersonType = "INDIVIDUAL" | "BUSINESS";

/** Facts about a person or company, under the names of the REST API. Nothing in it is required by itself. */
export interface PersonFields {
  type?: PersonType;
  identificationType?: string;
  identification?: string;
  gender?: "M" | "F";
  firstName?: string;
  lastName?: string;
  companyName?: string;
  birthDate?: string;
  /** ISO 3166-1 alpha-2. */
  nationality?: string;
  address?: AddressFields;
  /** Of a company: who owns, directs, signs for and controls it. */
  relatedParties?: readonly RelatedParty[];
}

export type AddressFields = Partial<Record<AddressPart, string>>;

const addressParts = [
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "postalCode",
  "countryCode",
  "phoneNumber",
  "emailAddress",
] as const;
type AddressPart = (typeof addressParts)[number];

const textNames = [
  "type",
  "identificationType",
  "identification",
  "gender",
  "firstName",
  "lastName",
  "companyName",
  "birthDate",
  "nationality",
] as const;
type TextName = (typeof textNames)[number];

export type GivenAddress = { readonly [Part in AddressPart]?: string | undefined };

/** A person or company as its caller describes it, unchecked. An undefined field was not given. */
export type GivenPerson = { readonly [Name in TextName]?: string | undefined } & {
  readonly address?: GivenAddress | undefined;
  readonly relatedParties?: readonly GivenParty[] | undefined;
};

/** A field of a person that can be changed, as a dotted path. */
export type FieldPath = (typeof fieldPaths)[number];

export const fieldPaths = [
  ...textNames,
  "address",
  ...addressParts.map((part) => `address.${part}` as const),
  "relatedParties",
] as const;

interface Rule {
  pattern: Pick<RegExp, "test">;
  says: string;
}

const text = (max: number): Rule => ({
  pattern: new RegExp(`^(?=.*\\S).{1,${max}}$`, "su"),
  says: `must be text of 1 to ${max} characters`,
});
const oneOf = (...values: string[]): Rule => ({
  pattern: new RegExp(`^(?:${values.join("|")})$`),
  says: `must be one of ${values.join(", ")}`,
});

const oneTypeOnly = (type: PersonType): Rule => ({ pattern: new RegExp(`^${type}$`), says: `must be ${type} here` });

/** True for a calendar day that is not in the future. */
const isPastDay = (text: string, at: Date): boolean => {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(text) : undefined;
  return day !== undefined && day <= at;
};

/** True for an assigned code, or that of Kosovo: an unknown country would have no requirements. */
const isCountry = (text: string): boolean => /^[A-Z]{2}$/.test(text) && alpha2ToAlpha3(text) !== undefined;

const rootRules = (at: Date): Readonly<Record<TextName, Rule>> => ({
  type: oneOf("INDIVIDUAL", "BUSINESS"),
  identificationType: { pattern: /^[A-Z][A-Z_]{1,63}$/, says: "must be a kind of document such as PASSPORT" },
  identification: text(64),
  gender: oneOf("M", "F"),
  firstName: text(140),
  lastName: text(140),
  companyName: text(140),
  birthDate: {
    pattern: { test: (text) => isPastDay(text, at) },
    says: "must be a day of the calendar, YYYY-MM-DD, and not in the future",
  },
  nationality: { pattern: { test: isCountry }, says: "must be an ISO 3166-1 alpha-2 code, two capital letters" },
});

const addressRules: Readonly<Record<AddressPart, Rule>> = {
  addressLine1: text(140),
  addressLine2: { pattern: /^.{0,140}$/su, says: "must be text of at most 140 characters" },
  city: text(140),
  state: text(140),
  postalCode: text(16),
  countryCode: { pattern: { test: isCountry }, says: "must be an ISO 3166-1 alpha-2 code, two capital letters" },
  phoneNumber: { pattern: /^\+?[\d ().-]{5,31}$/, says: "must be a phone number" },
  emailAddress: { pattern: /^(?=.{3,254}$)[^@\s]+@[^@\s]+$/, says: "must be an e-mail address" },
};

/** The rules of an address that is checked alone, whose caller may give either code of the country. */
const checkedAddressRules: typeof addressRules = {
  ...addressRules,
  countryCode: { ...addressRules.countryCode, says: "must be an ISO 3166-1 code, alpha-2 or alpha-3" },
};

/** The fields that were read, and everything that is wrong with them. */
interface Read<T> {
  value: T;
  violations: readonly FieldViolation[];
}

/**
 * Returns the fields to store for a description given at `at`. If only one type is allowed, it is also the type of a description without
 * one. Throws INVALID_ARGUMENT with every malformed field.
 */
export function parsePerson(given: GivenPerson, at: Date, only?: PersonType): PersonFields {
  const { value, violations } = readPerson(given, at, only);
  if (violations.length > 0) throw invalid(violations);
  return value;
}

/** Returns every malformed field of a description. */
export const checkPerson = (given: GivenPerson, at: Date, only?: PersonType): readonly FieldViolation[] =>
  readPerson(given, at, only).violations;

function readPerson(given: GivenPerson, at: Date, only: PersonType | undefined): Read<PersonFields> {
  const rules = { ...rootRules(at), ...(only === undefined ? {} : { type: oneTypeOnly(only) }) };
  const { address: givenAddress, relatedParties, ...texts } = given;
  const root = readTexts(rules, texts, "");
  const address = givenAddress === undefined ? undefined : readTexts(addressRules, givenAddress, "address.");
  const parties =
    relatedParties === undefined || only === "BUSINESS"
      ? readRelatedParties(relatedParties)
      : { value: undefined, violations: [{ field: "relatedParties", message: "are those of companies alone" }] };
  return {
    value: {
      // The rules have left only allowed words for type and gender.
      ...(root.value as Pick<PersonFields, TextName>),
      ...(only !== undefined && { type: only }),
      ...(address !== undefined && { address: address.value }),
      ...(parties.value !== undefined && { relatedParties: parties.value }),
    },
    violations: [...root.violations, ...(address?.violations ?? []), ...parties.violations],
  };
}

/** Returns the parts of an address, by the same rules. Throws INVALID_ARGUMENT with every malformed part. */
export function parseAddress(given: GivenAddress): AddressFields {
  const { value, violations } = readTexts(checkedAddressRules, given, "");
  if (violations.length > 0) throw invalid(violations);
  return value;
}

/** Reads the texts that have a rule, in the form in which they are stored. */
function readTexts<Name extends string>(
  rules: Readonly<Record<Name, Rule>>,
  from: Readonly<Partial<Record<Name, string | undefined>>>,
  prefix: string,
): Read<Partial<Record<Name, string>>> {
  const values: [string, string][] = [];
  const violations: FieldViolation[] = [];
  for (const [name, { pattern, says }] of Object.entries<Rule>(rules)) {
    const given = from[name as Name];
    if (given === undefined) continue;
    const field = `${prefix}${name}`;
    const read = readCallerText(given, field);
    if ("problem" in read) violations.push({ field, message: read.problem });
    else if (!pattern.test(read.value)) violations.push({ field, message: says });
    else values.push([name, read.value]);
  }
  return { value: Object.fromEntries(values) as Partial<Record<Name, string>>, violations };
}

/**
 * Returns the fields with changes to those that the paths name: to the given value, or removed if none is given. The path of an address
 * replaces all of it, the path of a part only that part.
 */
export function withChanges(before: PersonFields, given: GivenPerson, paths: readonly FieldPath[]): GivenPerson {
  const named = new Set<FieldPath>(paths);
  const kept = { ...before, relatedParties: before.relatedParties && givenParties(before.relatedParties) };
  return {
    ...Object.fromEntries(textNames.map((name) => [name, named.has(name) ? given[name] : kept[name]])),
    address: changedAddress(named.has("address") ? given.address : kept.address, given.address, named),
    relatedParties: named.has("relatedParties") ? given.relatedParties : kept.relatedParties,
  };
}

function changedAddress(
  before: GivenAddress | undefined,
  given: GivenAddress | undefined,
  named: ReadonlySet<FieldPath>,
): GivenAddress | undefined {
  const changes = addressParts.filter((part) => named.has(`address.${part}`)).map((part) => [part, given?.[part]]);
  // Removing parts of an unknown address leaves it unknown.
  if (before === undefined && changes.every(([, value]) => value === undefined)) return undefined;
  return { ...before, ...(Object.fromEntries(changes) as GivenAddress) };
}
