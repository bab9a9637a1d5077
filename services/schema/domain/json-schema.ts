import { withTitles } from "../../shared/kernel/schema-titles";

/** A draft-07 JSON Schema, or a part of one. The constants below are parts that several documents share. */
export type JsonSchema = { readonly [keyword: string]: unknown };

const draft07 = "http://json-schema.org/draft-07/schema#";

/** A published document: immutable under its name and version. */
export interface SchemaDocument {
  name: string;
  version: string;
  /** UTF-8 JSON text. */
  bytes: Buffer;
}

/** The document of a schema; its fields get titles for forms if the schema gives none. */
export function publishedDocument(
  name: string,
  schema: JsonSchema & { title: string; version: string },
): SchemaDocument {
  const { title, version } = schema;
  return { name, version, bytes: Buffer.from(JSON.stringify({ $schema: draft07, ...withTitles(schema, title) })) };
}

export const filledText: JsonSchema = { type: "string", minLength: 1 };
/** A name of a payment. Screening compares it in a time that grows with its length. */
export const personName: JsonSchema = { type: "string", minLength: 1, maxLength: 255 };
export const anyText: JsonSchema = { type: "string" };

export const alpha3Code: JsonSchema = { type: "string", description: "ISO 3166-1 alpha-3", pattern: "^[A-Z]{3}$" };

export const dateText: JsonSchema = {
  type: "string",
  description: "YYYY-MM-DD",
  format: "date",
  pattern: "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$",
};

export const emailText: JsonSchema = {
  type: "string",
  description: "E-mail address",
  maxLength: 254,
  pattern: "^[^@\\s]+@[^@\\s]+$",
};

/** The largest amount that the platform accepts, in whole units of its currency. */
const largestAmount = 999_999_999_999;

/** An amount object whose currency follows the given rule. */
export const amountSchema = (currency: JsonSchema, minimum = 0): JsonSchema =>
  closedOf({ total: { type: "number", minimum, maximum: largestAmount }, currency: { type: "string", ...currency } }, [
    "total",
    "currency",
  ]);

/** An object with the given properties, some of them required. */
export const objectOf = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  ...(required.length > 0 && { required }),
  properties,
});

/** An object that may have only the given properties. */
export const closedOf = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  ...objectOf(properties, required),
  additionalProperties: false,
});

/** Limits an object's property names. */
export const onlyNamed = (names: readonly string[]): JsonSchema => ({ propertyNames: { enum: names } });

/** A rule that applies only under a condition. */
export const where = (condition: JsonSchema, then: JsonSchema): JsonSchema => ({ if: condition, then });

/** A rule that applies only when `field` has the value; an absent field matches no value. */
export const when = (field: string, value: string, then: JsonSchema): JsonSchema =>
  where({ required: [field], properties: { [field]: { const: value } } }, then);

/** A postal address; its required fields must not be empty. */
export const addressSchema = (required: readonly string[] = []): JsonSchema => {
  const line = (name: string): JsonSchema => (required.includes(name) ? filledText : anyText);
  const properties = {
    countryCode: alpha3Code,
    city: line("city"),
    line1: line("line1"),
    line2: line("line2"),
    stateCode: line("stateCode"),
    state: anyText,
    zipCode: line("zipCode"),
  };
  return closedOf(properties, required);
};

/** `additionalData` with a rule for its purpose. Its other fields are texts that go to the rail. */
export const additionalDataSchema = (
  paymentPurpose: JsonSchema = anyText,
  required: readonly string[] = [],
): JsonSchema => ({
  ...objectOf(
    {
      paymentPurpose,
      statementNarrative: { type: "string", description: "Free text that describes the transaction" },
    },
    required,
  ),
  additionalProperties: anyText,
});
