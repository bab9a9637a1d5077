/** A draft-07 JSON Schema, or a part of one. The constants below are parts that several documents share. */
export type JsonSchema = { readonly [keyword: string]: unknown };

export const draft07 = "http://json-schema.org/draft-07/schema#";

/** A published document as it is served: immutable under its name and version. */
export interface SchemaDocument {
  name: string;
  version: string;
  /** UTF-8 JSON text. */
  bytes: Buffer;
}

export const filledText: JsonSchema = { type: "string", minLength: 1 };

/** The largest amount that the platform takes, in whole units of its currency. */
const largestAmount = 999_999_999_999;

/** An amount object whose currency follows a rule. */
export const amountSchema = (currency: JsonSchema): JsonSchema => ({
  type: "object",
  required: ["total", "currency"],
  properties: {
    total: { type: "number", minimum: 0, maximum: largestAmount },
    currency: { type: "string", ...currency },
  },
});

export const addressSchema: JsonSchema = {
  type: "object",
  properties: {
    countryCode: { type: "string", description: "ISO 3166-1 alpha-3", pattern: "^[A-Z]{3}$" },
    city: { type: "string" },
    line1: { type: "string" },
    line2: { type: "string" },
    stateCode: { type: "string" },
    zipCode: { type: "string" },
  },
};

export const additionalDataSchema: JsonSchema = {
  type: "object",
  properties: {
    paymentPurpose: { type: "string" },
    statementNarrative: { type: "string" },
  },
};
