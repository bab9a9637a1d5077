import { Ajv } from "ajv";

/** What a text field must look like. A field with neither pattern nor list takes any text. */
export interface FieldRule {
  description: string;
  pattern?: string;
  enum?: string[];
  /** A matching value, made up or taken from public documentation. */
  example: string;
  /** Name of a checksum that valid values pass. Advice only: it never refuses a payment. */
  check?: string;
}

export type FieldRules = Record<string, FieldRule>;

/** One way to pay out to a country. */
export interface MethodRules {
  /** Payment systems that carry this method. */
  rails?: string;
  /** Origin of the requirements. */
  basis: "specification" | "market practice";
  requires: string[];
  fields: FieldRules;
  /** Kinds of alias keys with the form of each, where there is an alias rail. */
  keyTypes?: FieldRules;
  /** Rules that apply instead when `accountNumberType` has this value. */
  alternative?: { accountNumberType: string; requires: string[]; fields: FieldRules };
  /** Usual duration of a payout. */
  expectedMinutes?: number;
}

/** When a rule applies: on every payout, or only on bank deposits. */
export type RequiredFor = "always" | "BANK_DEPOSIT";

/** What a person or a company must provide. */
export interface PersonRules {
  /** Dotted paths of the fields of a person request that must be present. */
  requires: string[];
  recommends: string[];
  /** Number formats by kind of identification. */
  identification: FieldRules;
}

/** All rules of one destination country. One file per country, written by hand. */
export interface CorridorPack {
  /** ISO 3166-1 alpha-3, or XKX for Kosovo. */
  country: string;
  alpha2: string;
  name: string;
  /** Version of the published schema. Any change to the schema needs a new one. */
  version: string;
  /** How reliable the facts of this file are. */
  confidence: "high" | "medium" | "low";
  notes?: string[];
  currencies: string[];
  methods: Record<string, MethodRules>;
  /** Required fields of the addresses of sender and recipient. Absent where an address is optional. */
  addressRequires?: string[];
  /** Keys of `recipient` that must be present besides the names, `paymentMethod`, `address` and `documents`. */
  recipientRequires?: string[];
  /** Keys of `sender` that must be present besides those that every push needs. */
  senderRequires?: string[];
  /** Keys of `sender` that are checked when present. */
  senderMayHave?: string[];
  /** Identity documents of the recipient by type. */
  documents?: { requiredFor: RequiredFor; types: FieldRules };
  /** True when `additionalData` must be present, even if empty. */
  requiresAdditionalData: boolean;
  /** Regulatory purpose codes with their meaning. */
  purposes?: {
    requiredFor: RequiredFor;
    basis: string;
    authority: string;
    note?: string;
    example: string;
    codes: Record<string, string>;
  };
  phoneNumber: FieldRule;
  /** A made-up recipient, for examples. */
  sample: { firstName: string; lastName: string; city: string; line1: string; stateCode?: string; zipCode?: string };
  person?: { INDIVIDUAL: PersonRules; BUSINESS: PersonRules };
}

type Schema = { readonly [keyword: string]: unknown };

const text: Schema = { type: "string", minLength: 1 };
const texts: Schema = { type: "array", items: text };
const oneOf = (...values: string[]): Schema => ({ type: "string", enum: values });
const like = (pattern: string): Schema => ({ type: "string", pattern });
const mapOf = (values: Schema): Schema => ({ type: "object", minProperties: 1, additionalProperties: values });
const record = (required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema => ({
  type: "object",
  required: Object.keys(required),
  properties: { ...required, ...optional },
  additionalProperties: false,
});

const field = record(
  { description: text, example: text },
  { pattern: { type: "string", format: "regex" }, enum: { ...texts, minItems: 1 }, check: text },
);
const fields = mapOf(field);
const requiredFor = oneOf("always", "BANK_DEPOSIT");

const method = record(
  { basis: oneOf("specification", "market practice"), requires: texts, fields },
  {
    rails: text,
    keyTypes: fields,
    alternative: record({ accountNumberType: text, requires: texts, fields }),
    expectedMinutes: { type: "integer", minimum: 0 },
  },
);

const person = record({ requires: texts, recommends: texts, identification: fields });

const packSchema = record(
  {
    country: like("^[A-Z]{3}$"),
    alpha2: like("^[A-Z]{2}$"),
    name: text,
    version: like("^\\d{1,4}\\.\\d{1,4}\\.\\d{1,4}$"),
    confidence: oneOf("high", "medium", "low"),
    currencies: { type: "array", minItems: 1, uniqueItems: true, items: like("^[A-Z]{3}$") },
    methods: {
      type: "object",
      minProperties: 1,
      propertyNames: { enum: ["BANK_DEPOSIT", "WALLET", "PIX", "CARD"] },
      additionalProperties: method,
    },
    requiresAdditionalData: { type: "boolean" },
    phoneNumber: field,
    sample: record({ firstName: text, lastName: text, city: text, line1: text }, { stateCode: text, zipCode: text }),
  },
  {
    notes: texts,
    addressRequires: texts,
    recipientRequires: texts,
    senderRequires: texts,
    senderMayHave: texts,
    documents: record({ requiredFor, types: fields }),
    purposes: record({ requiredFor, basis: text, authority: text, example: text, codes: mapOf(text) }, { note: text }),
    person: record({ INDIVIDUAL: person, BUSINESS: person }),
  },
);

const ajv = new Ajv({ allErrors: true, validateSchema: false, formats: { regex: isRegex } });
const isCorridorPack = ajv.compile<CorridorPack>(packSchema);

function isRegex(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** Reads one pack; `source` names it in the error, which lists every problem. */
export function parseCorridorPack(content: string, source: string): CorridorPack {
  const pack: unknown = JSON.parse(content);
  if (isCorridorPack(pack)) return pack;
  throw new Error(`corridor pack ${source} is not usable: ${ajv.errorsText(isCorridorPack.errors, { dataVar: "" })}`);
}
