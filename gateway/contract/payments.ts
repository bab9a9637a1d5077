import { currency, described, externalId, flag, orNull, text, words } from "./parts";
import { tag } from "./payment-party";
import { anyRecipient } from "./payment-recipient";
import {
  customerSender,
  pullSender,
  sender,
  sourcedCustomerSender,
  sourcedPullSender,
  sourcedSender,
} from "./payment-sender";
import type { Schema } from "./schema";

/** Contracts of the routes that create payments. The published schema of a country defines what it requires beyond them. */

const maxUnits = 999_999_999_999;

const key = described(externalId, "The caller's id of the payment, its permanent idempotency key.");
const ipAddress = {
  type: "string",
  description: "IPv4 or IPv6 address of the originator.",
  isA: "ipAddress",
  rule: "must be an IPv4 or IPv6 address",
  examples: ["203.0.113.10"],
} as const satisfies Schema;

/** The amount that is taken from the sender. */
const sourceAmount = {
  title: "SourceAmount",
  type: "object",
  description: "What is taken from the sender: exact, with no more decimals than the currency has.",
  properties: {
    total: { type: "number", description: "The amount.", minimum: 0, maximum: maxUnits, exactDecimal: "currency" },
    currency,
  },
  required: ["total", "currency"],
  additionalProperties: false,
} as const satisfies Schema;

const recipientAmount = {
  title: "RecipientAmount",
  type: "object",
  description:
    "What the recipient is to get, as callers compute it: up to 17 significant digits, rounded once, half to even.",
  properties: {
    total: { type: "number", description: "The amount.", minimum: 0, maximum: maxUnits, exactDecimal: "float" },
    currency,
  },
  required: ["total", "currency"],
  additionalProperties: false,
} as const satisfies Schema;

const exchangeRate = {
  type: "number",
  description: "Rate between the currencies; must equal that of the quote. Required of customers.",
  exclusiveMinimum: 0,
  maximum: maxUnits,
  exactDecimal: "float",
  examples: [5.2242],
} as const satisfies Schema;

export const additionalData = {
  title: "AdditionalData",
  type: "object",
  description: "Extras of the corridor. BRA, MAR and MEX ask for the member even if it is empty.",
  properties: {
    paymentPurpose: text("Code of the purpose, by the list of the destination country."),
    statementNarrative: text("Text about the transaction."),
  },
  additionalProperties: text("A further text, handed on to the rail."),
} as const satisfies Schema;

const common = {
  externalPaymentId: key,
  ipAddress,
  amount: sourceAmount,
  dynamicDescriptor: text("Text on the recipient's statement, or on that of the payer of a PULL."),
  additionalData,
} as const satisfies Record<string, Schema>;

const payout = {
  recipientAmount,
  exchangeRate,
  fxId: words("Quote of POST /v2/foreign-exchange. Required when the currencies differ, but of customers."),
  recipient: anyRecipient,
} as const satisfies Record<string, Schema>;

const pushFields = {
  paymentType: tag("PUSH"),
  ...common,
  ...payout,
  sender: {
    title: "AnySender",
    type: "object",
    description: "Who pays: with `customer` a CustomerSender, else a Sender.",
    chosenBy: ["customer"],
    oneOf: [sender, customerSender],
  },
  capture: flag("Not used on a push."),
} as const satisfies Record<string, Schema>;

const pullPushFields = {
  paymentType: tag("PULLPUSH"),
  ...common,
  ...payout,
  sender: {
    title: "AnySourcedSender",
    type: "object",
    description: "Who pays, and from where: with `customer` a SourcedCustomerSender, else a SourcedSender.",
    chosenBy: ["customer"],
    oneOf: [sourcedSender, sourcedCustomerSender],
  },
  capture: flag("Not used on a PULLPUSH."),
} as const satisfies Record<string, Schema>;

const pullFields = {
  paymentType: tag("PULL"),
  ...common,
  sender: {
    title: "AnyPullSender",
    type: "object",
    description: "Who is collected from: with `source` a SourcedPullSender, else a PullSender.",
    chosenBy: ["source"],
    oneOf: [pullSender, sourcedPullSender],
  },
  capture: flag("False only authorises a card: capture or void it later. True when absent."),
} as const satisfies Record<string, Schema>;

const payoutRequires = [
  "externalPaymentId",
  "ipAddress",
  "paymentType",
  "amount",
  "recipientAmount",
  "sender",
  "recipient",
] as const;
const pullRequires = ["externalPaymentId", "paymentType", "amount", "sender"] as const;

const push = { type: "object", required: payoutRequires, additionalProperties: false } as const;
const pull = { type: "object", required: pullRequires, additionalProperties: false } as const;
const pushWords = "Pays a recipient out of the tenant's account.";
const pullPushWords = "Collects from a sender and pays a recipient.";
const pullWords = "Collects from a sender.";

/** The body of POST /v2/payment and of its validation. */
export const paymentRequest = {
  title: "PaymentRequest",
  type: "object",
  description: "A payment.",
  discriminator: { propertyName: "paymentType" },
  oneOf: [
    { title: "PushPayment", description: pushWords, ...push, properties: pushFields },
    { title: "PullPushPayment", description: pullPushWords, ...push, properties: pullPushFields },
    { title: "PullPayment", description: pullWords, ...pull, properties: pullFields },
  ],
} as const satisfies Schema;

const ownId = { externalId: orNull(described(externalId, "The agent's own name for the transaction.")) } as const;

/** The body of POST /fx/transactions. */
export const transactionRequest = {
  title: "TransactionRequest",
  type: "object",
  description: "A payment through an agent's door.",
  discriminator: { propertyName: "paymentType" },
  oneOf: [
    { title: "PushTransaction", description: pushWords, ...push, properties: { ...pushFields, ...ownId } },
    { title: "PullPushTransaction", description: pullPushWords, ...push, properties: { ...pullPushFields, ...ownId } },
    { title: "PullTransaction", description: pullWords, ...pull, properties: { ...pullFields, ...ownId } },
  ],
} as const satisfies Schema;
