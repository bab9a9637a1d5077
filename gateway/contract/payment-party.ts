import { alpha2, alpha3, described, oneOf, screenedName, text, words } from "./parts";
import type { Schema } from "./schema";

/** Parties of a payment, and parts that several payment methods share. */

export const givenName = screenedName("Given name.");
export const familyName = screenedName("Family name.");
export const email = text("E-mail address.");
export const phoneNumber = text("Phone number.");
export const birthDate = {
  type: "string",
  description: "Date of birth, YYYY-MM-DD.",
  format: "date",
  rule: "must be a date, YYYY-MM-DD",
  examples: ["1990-04-15"],
} as const satisfies Schema;
export const birthCountryCode = described(alpha3, "Country of birth, ISO 3166-1 alpha-3.");

export const address = {
  title: "Address",
  type: "object",
  description: "Postal address. Which of its parts are needed the destination country says.",
  properties: {
    countryCode: alpha3,
    stateCode: text("Code of the state, province or region."),
    state: text("State in words."),
    city: text("City."),
    line1: text("Street and number."),
    line2: text("Second address line."),
    zipCode: text("Postal code."),
  },
  additionalProperties: false,
} as const satisfies Schema;

export const document = {
  title: "PartyDocument",
  type: "object",
  description: "A document that identifies a person.",
  properties: {
    document: words("Number of the document."),
    type: words("Kind of document, by the list of the destination country."),
    countryCode: text("Country that issued it."),
  },
  required: ["document", "type"],
  additionalProperties: false,
} as const satisfies Schema;

export const cardToken = {
  type: "string",
  description: "Token of the client-side card tokenizer, a UUID.",
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
  rule: "must be a card token, a UUID",
  examples: ["3f2b8c1e-5d4a-4b6f-9e21-7a0c9d8e6f13"],
} as const satisfies Schema;

export const tag = <const V extends string>(value: V) =>
  ({ type: "string", description: "Which of the variants it is.", const: value }) as const satisfies Schema;

const customerEmail = {
  ...email,
  pattern: "^[^@\\s]+@[^@\\s]+$",
  rule: "must be an e-mail address",
  examples: ["ana@example.com"],
} as const satisfies Schema;

export const customer = {
  title: "Customer",
  type: "object",
  description: "A person by the details that are asked of every customer.",
  properties: {
    firstName: givenName,
    lastName: familyName,
    phoneNumber: {
      type: "string",
      description: "7 to 15 digits, with or without + before them.",
      pattern: "^\\+?[0-9]{7,15}$",
      rule: "must be 7 to 15 digits, with or without + before them",
      examples: ["+13055550123"],
    },
    documentNumber: {
      type: "string",
      description: "5 to 20 digits.",
      pattern: "^[0-9]{5,20}$",
      rule: "must be 5 to 20 digits",
      examples: ["12345678901"],
    },
    documentType: oneOf("Kind of document.", ["NATIONAL_ID", "PASSPORT", "DRIVER_LICENSE"]),
    email: customerEmail,
    countryCodeAlpha3: described(
      alpha3,
      "Country of the customer; of a recipient the destination. ISO 3166-1 alpha-3.",
    ),
  },
  required: ["firstName", "lastName", "phoneNumber", "documentNumber", "documentType", "email", "countryCodeAlpha3"],
  additionalProperties: false,
} as const satisfies Schema;

export const customerAddress = {
  title: "CustomerAddress",
  type: "object",
  description: "Address of a customer; its country is the customer's where it names none.",
  properties: {
    countryCode: alpha2,
    stateCode: words("Code of the state, province or region."),
    state: text("State in words."),
    city: words("City."),
    line1: words("Street and number."),
    line2: text("Second address line."),
    zipCode: words("Postal code."),
  },
  required: ["stateCode", "city", "line1", "zipCode"],
  additionalProperties: false,
} as const satisfies Schema;
