import {
  additionalDataSchema,
  addressSchema,
  amountSchema,
  draft07,
  filledText,
  type JsonSchema,
  type SchemaDocument,
} from "./json-schema";

const version = "1.0.0";

const currencyCode = { description: "ISO 4217", pattern: "^[A-Z]{3}$" };

const document: JsonSchema = {
  $schema: draft07,
  title: "Push payment",
  version,
  description: "What every push must contain; the schema of the destination country adds to it",
  type: "object",
  required: ["externalPaymentId", "ipAddress", "paymentType", "amount", "recipientAmount", "sender", "recipient"],
  properties: {
    externalPaymentId: {
      type: "string",
      description: "The caller's own id of the payment: the same id again gets the first answer",
      pattern: "^[A-Za-z0-9._:-]{1,255}$",
    },
    ipAddress: {
      type: "string",
      description: "Address of the originator, IPv4 or IPv6",
      anyOf: [{ format: "ipv4" }, { format: "ipv6" }],
    },
    paymentType: { type: "string", enum: ["PUSH", "PULLPUSH"] },
    amount: amountSchema(currencyCode),
    recipientAmount: amountSchema(currencyCode),
    exchangeRate: { type: "number", exclusiveMinimum: 0 },
    fxId: { type: "string", description: "Id of an FX quote; needed when the currencies differ", minLength: 1 },
    sender: {
      type: "object",
      required: ["firstName", "lastName", "address"],
      properties: { firstName: filledText, lastName: filledText, address: addressSchema() },
    },
    recipient: {
      type: "object",
      required: ["firstName", "lastName", "paymentMethod"],
      properties: {
        firstName: filledText,
        lastName: filledText,
        address: addressSchema(),
        paymentMethod: {
          type: "object",
          required: ["type"],
          properties: { type: { type: "string", enum: ["BANK_DEPOSIT", "WALLET", "PIX", "CARD"] } },
        },
      },
    },
    dynamicDescriptor: { type: "string", description: "Text on the recipient's statement" },
    additionalData: additionalDataSchema(),
    capture: { type: "boolean", description: "Means nothing on a push" },
  },
};

/** The generic schema of a push in the schema-driven shape. */
export const pushSchema: SchemaDocument = { name: "push", version, bytes: Buffer.from(JSON.stringify(document)) };
