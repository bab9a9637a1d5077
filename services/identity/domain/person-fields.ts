import { alpha2ToAlpha3 } from "i18n-iso-countries";
import { parseInstant } from "../../shared/kernel/clock";
import { type FieldViolation, invalid } from "../../shared/kernel/errors";
import type { JsonObject, JsonValue } from "../../shared/kernel/json";

import { parseRelatedParties, type RelatedParty, relatedPartiesToJson } from "./related-parties";

export type PersonType = "INDIVIDUAL" | "BUSINESS";

/** What is known of a person or company, under the names of the request. Nothing in it is required by itself. */
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

export type AddressFields = Partial<Record<(typeof addressNames)[number], string>>;

const addressNames = [
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "postalCode",
  "countryCode",
  "phoneNumber",
  "emailAddress",
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

/** A day of the calendar that has come. */
const isPastDay = (text: string, at: Date): boolean => {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? parseInstant(text) : undefined;
  return day !== undefined && day <= at;
};

/** A code that is assigned, or that of Kosovo: a country that nobody knows would ask for nothing. */
const isCountry = (text: string): boolean => /^[A-Z]{2}$/.test(text) && alpha2ToAlpha3(text) !== undefined;

const rootRules = (at: Date): Readonly<Record<string, Rule>> => ({
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

const addressRules: Readonly<Record<(typeof addressNames)[number], Rule>> = {
  addressLine1: text(140),
  addressLine2: { pattern: /^.{0,140}$/su, says: "must be text of at most 140 characters" },
  city: text(140),
  state: text(140),
  postalCode: text(16),
  countryCode: { pattern: { test: isCountry }, says: "must be an ISO 3166-1 alpha-2 code, two capital letters" },
  phoneNumber: { pattern: /^\+?[\d ().-]{5,31}$/, says: "must be a phone number" },
  emailAddress: { pattern: /^(?=.{3,254}$)[^@\s]+@[^@\s]+$/, says: "must be an e-mail address" },
};

/**
 * What of a body is kept, as it is given at `at`; where only one type is kept, that is the type of one who does not say.
 * Unknown fields are not looked at and not kept. Throws INVALID_ARGUMENT with every malformed field.
 */
export function parsePerson(body: JsonObject, at: Date, only?: PersonType): PersonFields {
  const { address } = body;
  const rules = { ...rootRules(at), ...(only === undefined ? {} : { type: oneTypeOnly(only) }) };
  const violations: FieldViolation[] = [
    ...violationsOf(rules, body, ""),
    ...(isObject(address) ? violationsOf(addressRules, address, "address.") : []),
    ...(address === undefined || isObject(address) ? [] : [{ field: "address", message: "must be an object" }]),
  ];
  if (body["relatedParties"] !== undefined && only !== "BUSINESS") {
    violations.push({ field: "relatedParties", message: "are those of companies alone" });
  }
  const relatedParties = only === "BUSINESS" ? parseRelatedParties(body["relatedParties"], violations) : undefined;
  if (violations.length > 0) throw invalid(violations);
  const type = only === undefined ? {} : { type: only };
  return {
    ...pick(rules, body),
    ...type,
    ...(isObject(address) && { address: pick(addressRules, address) }),
    ...(relatedParties !== undefined && { relatedParties }),
  };
}

/** The parts of an address by the same rules. Throws INVALID_ARGUMENT with every malformed part. */
export function parseAddress(parts: JsonObject): AddressFields {
  const violations = violationsOf(addressRules, parts, "");
  if (violations.length > 0) throw invalid(violations);
  return pick(addressRules, parts);
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function violationsOf(rules: Readonly<Record<string, Rule>>, from: JsonObject, prefix: string): FieldViolation[] {
  return Object.entries(rules).flatMap(([name, { pattern, says }]) => {
    const value = from[name];
    if (value === undefined || (typeof value === "string" && pattern.test(value))) return [];
    return [{ field: `${prefix}${name}`, message: says }];
  });
}

/** The fields that have a rule, and no other. */
const pick = (rules: Readonly<Record<string, Rule>>, from: JsonObject): Record<string, string> =>
  Object.fromEntries(
    Object.keys(rules).flatMap((name) => {
      const value = from[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );

/**
 * Merges a patch into a document, RFC 7396: objects member by member, null removes, anything else replaces. Bodies are
 * bounded in depth where they are parsed.
 */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else merged.set(name, isObject(value) ? mergePatch(isObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}

/** The fields as the JSON object that they came from. */
export const toJson = ({ relatedParties, ...fields }: PersonFields): JsonObject => ({
  ...factsToJson(fields),
  ...(relatedParties !== undefined && { relatedParties: relatedPartiesToJson(relatedParties) }),
});

/** What a person schema and a vendor know of: the fields without those who stand behind a company. */
export const factsToJson = ({ address, relatedParties: _parties, ...root }: PersonFields): JsonObject => ({
  ...root,
  ...(address !== undefined && { address: { ...address } }),
});
