import { words } from "./parts";
import {
  address,
  birthCountryCode,
  birthDate,
  cardToken,
  customer,
  customerAddress,
  document,
  email,
  familyName,
  givenName,
  phoneNumber,
  tag,
} from "./payment-party";
import type { Schema } from "./schema";

/** The sender of a payment, and the sources that money is collected from. */

const senderFields = {
  firstName: givenName,
  lastName: familyName,
  address,
  email,
  phoneNumber,
} as const satisfies Record<string, Schema>;

const payoutSenderFields = {
  ...senderFields,
  birthDate,
  birthCountryCode,
  documents: { type: "array", description: "Identity documents.", items: document },
} as const satisfies Record<string, Schema>;

export const sender = {
  title: "Sender",
  type: "object",
  description: "Who pays.",
  properties: payoutSenderFields,
  required: ["firstName", "lastName", "address"],
  additionalProperties: false,
} as const satisfies Schema;

export const customerSender = {
  title: "CustomerSender",
  type: "object",
  description: "A customer who pays.",
  properties: { customer, customerAddress },
  required: ["customer", "customerAddress"],
  additionalProperties: false,
} as const satisfies Schema;

const bankAccountFields = {
  accountType: words("For example savings or checking."),
  accountNumber: {
    type: "string",
    description: "Account number, 4 to 17 digits.",
    pattern: "^[0-9]{4,17}$",
    rule: "must be 4 to 17 digits",
  },
  routingNumber: {
    type: "string",
    description: "ABA routing number, 9 digits.",
    pattern: "^[0-9]{9}$",
    rule: "must be 9 digits",
  },
  accountHolder: {
    title: "AccountHolder",
    type: "object",
    description: "Who holds the account.",
    properties: { type: words("Kind of holder."), firstName: givenName, lastName: familyName },
    required: ["type", "firstName", "lastName"],
    additionalProperties: false,
  },
} as const satisfies Record<string, Schema>;

const bankAccountSource = {
  title: "BankAccountSource",
  type: "object",
  description: "A US bank account by its numbers.",
  properties: { type: tag("BANK_ACCOUNT"), ...bankAccountFields },
  required: ["type", "accountType", "accountNumber", "routingNumber", "accountHolder"],
  additionalProperties: false,
} as const satisfies Schema;

const card = {
  title: "SourceCard",
  type: "object",
  description: "The card.",
  properties: { token: cardToken },
  required: ["token"],
  additionalProperties: false,
} as const satisfies Schema;

const cardSource = {
  title: "CardSource",
  type: "object",
  description: "A card.",
  properties: { type: tag("CARD"), card },
  required: ["type", "card"],
  additionalProperties: false,
} as const satisfies Schema;

/** The source of the money of a PULLPUSH. */
const source = {
  title: "PullPushSource",
  type: "object",
  description: "Where the money comes from.",
  discriminator: { propertyName: "type" },
  oneOf: [cardSource, bankAccountSource],
} as const satisfies Schema;

export const sourcedSender = {
  title: "SourcedSender",
  type: "object",
  description: "Who pays, and from where.",
  properties: { ...payoutSenderFields, source },
  required: ["firstName", "lastName", "address", "source"],
  additionalProperties: false,
} as const satisfies Schema;

export const sourcedCustomerSender = {
  title: "SourcedCustomerSender",
  type: "object",
  description: "A customer who pays, and from where.",
  properties: { customer, customerAddress, source },
  required: ["customer", "customerAddress", "source"],
  additionalProperties: false,
} as const satisfies Schema;

const accountToken = words("Token of a checked bank account.");

const accountTokenMethod = {
  title: "AccountTokenMethod",
  type: "object",
  description: "A bank account that was checked before.",
  properties: { type: tag("BANK_DEPOSIT"), accountTokenId: accountToken },
  required: ["type", "accountTokenId"],
  additionalProperties: false,
} as const satisfies Schema;

const cardMethod = {
  title: "CardMethod",
  type: "object",
  description: "A card.",
  properties: { type: tag("CARD"), cardTokenId: cardToken },
  required: ["type", "cardTokenId"],
  additionalProperties: false,
} as const satisfies Schema;

const pullMethod = {
  title: "PullMethod",
  type: "object",
  description: "What is collected from.",
  discriminator: { propertyName: "type" },
  oneOf: [accountTokenMethod, cardMethod],
} as const satisfies Schema;

const pullCardSource = {
  title: "PullCardSource",
  type: "object",
  description: "A card, by its token in either place.",
  properties: { type: tag("CARD"), card, cardTokenId: cardToken },
  required: ["type"],
  additionalProperties: false,
} as const satisfies Schema;

const pullSource = {
  title: "PullSource",
  type: "object",
  description: "What is collected from, in the words of a PULLPUSH.",
  discriminator: { propertyName: "type" },
  oneOf: [accountTokenMethod, bankAccountSource, pullCardSource],
} as const satisfies Schema;

export const pullSender = {
  title: "PullSender",
  type: "object",
  description: "Who is collected from, and what.",
  properties: { ...senderFields, paymentMethod: pullMethod },
  required: ["firstName", "lastName", "paymentMethod"],
  additionalProperties: false,
} as const satisfies Schema;

export const sourcedPullSender = {
  title: "SourcedPullSender",
  type: "object",
  description: "Who is collected from, and what, in the words of a PULLPUSH.",
  properties: { ...senderFields, source: pullSource },
  required: ["firstName", "lastName", "source"],
  additionalProperties: false,
} as const satisfies Schema;
