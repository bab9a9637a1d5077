import type { CorridorPack, FieldRule } from "./corridor-pack";
import {
  additionalDataSchema,
  addressSchema,
  amountSchema,
  draft07,
  filledText,
  type JsonSchema,
  type SchemaDocument,
} from "./json-schema";

/**
 * The schema of one destination country, as a client may draw a form from it. It is a pure function of the pack: the same
 * pack gives the same bytes, which is how a changed pack under an old version is found out.
 */
export function countrySchema(pack: CorridorPack): SchemaDocument {
  const { country, name, version } = pack;
  const document: JsonSchema = {
    $schema: draft07,
    title: `${name} (${country})`,
    version,
    description: `What a payment to ${name} must contain`,
    type: "object",
    required: ["recipient", "recipientAmount", ...pack.requires],
    properties: {
      recipient: recipientSchema(pack),
      recipientAmount: amountSchema({ enum: pack.currencies }),
      additionalData: additionalDataSchema,
    },
  };
  return { name: country, version, bytes: Buffer.from(JSON.stringify(document)) };
}

const recipientSchema = (pack: CorridorPack): JsonSchema => ({
  type: "object",
  required: ["firstName", "lastName", "paymentMethod", ...pack.recipientRequires],
  properties: {
    firstName: filledText,
    lastName: filledText,
    address: addressSchema,
    documents: documentsSchema(pack.documents),
    email: { type: "string" },
    phoneNumber: { type: "string" },
    paymentMethod: paymentMethodSchema(pack),
  },
});

const documentsSchema = (documents: CorridorPack["documents"]): JsonSchema => ({
  type: "array",
  minItems: 1,
  items: {
    type: "object",
    required: ["document", "type"],
    properties: {
      document: filledText,
      type: { type: "string", enum: Object.keys(documents) },
      countryCode: { type: "string", description: "Issuing country" },
    },
    allOf: Object.entries(documents).map(([type, rule]) =>
      when("type", type, { properties: { document: textOf(rule) } }),
    ),
  },
});

function paymentMethodSchema({ country, methods, fields, keyTypes = {} }: CorridorPack): JsonSchema {
  const kinds = Object.entries(keyTypes);
  return {
    type: "object",
    required: ["type"],
    properties: {
      type: { type: "string", enum: Object.keys(methods) },
      countryCode: { type: "string", enum: [country] },
      ...Object.fromEntries(Object.entries(fields).map(([field, rule]) => [field, textOf(rule)])),
      ...(kinds.length > 0 && {
        keyType: { type: "string", enum: kinds.map(([type]) => type) },
        key: filledText,
      }),
    },
    allOf: [
      ...Object.entries(methods).map(([method, required]) => when("type", method, { required })),
      ...kinds.map(([type, rule]) => when("keyType", type, { properties: { key: textOf(rule) } })),
    ],
  };
}

const textOf = (rule: FieldRule): JsonSchema => ({ type: "string", ...rule });

/** A rule that holds only where `field` has a value; an absent field does not count as any value. */
const when = (field: string, value: string, then: JsonSchema): JsonSchema => ({
  if: { required: [field], properties: { [field]: { const: value } } },
  then,
});
