import { Ajv } from "ajv";

/** What a text field must look like: a pattern or a list of values. */
export interface FieldRule {
  description: string;
  pattern?: string;
  enum?: string[];
  examples?: string[];
}

/** All that is true of one destination country. One file per country, written by hand. */
export interface CorridorPack {
  /** ISO 3166-1 alpha-3. */
  country: string;
  name: string;
  /** Of the published schema. Anything that changes the schema needs a new one. */
  version: string;
  currencies: string[];
  /** Top-level keys that must be present beside `recipient` and `recipientAmount`, even if empty. */
  requires: string[];
  /** Keys of `recipient` that must be present beside the names and `paymentMethod`. */
  recipientRequires: string[];
  /** Identity documents by type. */
  documents: Record<string, FieldRule>;
  /** Payment methods, each with the fields it needs. */
  methods: Record<string, string[]>;
  /** Fields of `paymentMethod`. */
  fields: Record<string, FieldRule>;
  /** Kinds of alias keys, and what a key of that kind looks like. Absent where there is no alias rail. */
  keyTypes?: Record<string, FieldRule>;
}

const texts = { type: "array", items: { type: "string", minLength: 1 } };
const rules = {
  type: "object",
  additionalProperties: {
    type: "object",
    required: ["description"],
    properties: {
      description: { type: "string" },
      pattern: { type: "string", format: "regex" },
      enum: { ...texts, minItems: 1 },
      examples: texts,
    },
    additionalProperties: false,
  },
};

const packSchema = {
  type: "object",
  required: [
    "country",
    "name",
    "version",
    "currencies",
    "requires",
    "recipientRequires",
    "documents",
    "methods",
    "fields",
  ],
  properties: {
    country: { type: "string", pattern: "^[A-Z]{3}$" },
    name: { type: "string", minLength: 1 },
    version: { type: "string", pattern: "^\\d{1,4}\\.\\d{1,4}\\.\\d{1,4}$" },
    currencies: { type: "array", minItems: 1, items: { type: "string", pattern: "^[A-Z]{3}$" } },
    requires: texts,
    recipientRequires: texts,
    documents: rules,
    methods: { type: "object", minProperties: 1, additionalProperties: texts },
    fields: rules,
    keyTypes: rules,
  },
  additionalProperties: false,
};

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
export function parseCorridorPack(text: string, source: string): CorridorPack {
  const pack: unknown = JSON.parse(text);
  if (isCorridorPack(pack)) return pack;
  throw new Error(`corridor pack ${source} is not usable: ${ajv.errorsText(isCorridorPack.errors, { dataVar: "" })}`);
}
