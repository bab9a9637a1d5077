import { externalIdSchema } from "../../shared/kernel/external-id";
import {
  anyText,
  closedOf,
  filledText,
  type JsonSchema,
  objectOf,
  onlyNamed,
  personName,
  when,
  where,
} from "./json-schema";

/** Root fields that every payment may have, whatever its type and request variant. */
export const rootFields = {
  externalPaymentId: {
    ...externalIdSchema,
    description: "The caller's own id of the payment: the same id again gets the first answer",
  },
  ipAddress: {
    type: "string",
    description: "Address of the originator, IPv4 or IPv6",
    anyOf: [{ format: "ipv4" }, { format: "ipv6" }],
  },
  dynamicDescriptor: { type: "string", description: "Text on the recipient's statement" },
  capture: { type: "boolean", description: "PULL only: false authorises and leaves the capture for later" },
} as const satisfies JsonSchema;

/** Root fields of a payment that pays out. */
export const payoutFields = {
  ...rootFields,
  exchangeRate: { type: "number", exclusiveMinimum: 0 },
  fxId: { type: "string", description: "Id of an FX quote; needed when the currencies differ", minLength: 1 },
} as const satisfies JsonSchema;

/** Every field name at the root of a payment that pays out. */
export const payoutNames = [
  ...Object.keys(payoutFields),
  "paymentType",
  "amount",
  "recipientAmount",
  "sender",
  "recipient",
  "additionalData",
];

const partyNames = [
  "firstName",
  "lastName",
  "address",
  "documents",
  "email",
  "phoneNumber",
  "birthDate",
  "birthCountryCode",
];

/** Every field name of a sender; a sender may have the customer form whatever form the recipient has. */
export const senderNames = [...partyNames, "source", "customer", "customerAddress"];

/** Every field name of a recipient; a push to a card has two other names for phone number and birth date. */
export const recipientNames = [...partyNames, "paymentMethod", "contactNumber", "dateOfBirth"];

const methodFields: Readonly<Record<string, readonly string[]>> = {
  BANK_DEPOSIT: ["accountNumber", "accountType", "bankCode", "routingNumber"],
  WALLET: ["walletId", "walletType", "walletOperator"],
  PIX: ["key", "keyType"],
  CARD: ["cardTokenId"],
};

/** Refuses fields that a payment method of this type does not have. The country decides which fields are required. */
export const onlyOfMethod = (type: string, more: readonly string[] = []): JsonSchema =>
  onlyNamed(["type", "countryCode", ...(methodFields[type] ?? []), ...more]);

/** Refuses fields that the alias of a bank account does not have. */
export const onlyOfAlias = (names: readonly string[]): JsonSchema =>
  onlyNamed(["type", "countryCode", "accountNumberType", ...names]);

export const currencyCode: JsonSchema = { description: "ISO 4217", pattern: "^[A-Z]{3}$" };

/** Requires a destination country: that of the payment method, unless the recipient's address names one. */
export const destinationCountryRule: JsonSchema = {
  ...where(objectOf({ address: objectOf({}, ["countryCode"]) }, ["address"]), {}),
  else: objectOf({ paymentMethod: objectOf({}, ["countryCode"]) }),
};

/** Types of a payment that pays out. */
export const payoutTypes: JsonSchema = { type: "string", enum: ["PUSH", "PULLPUSH"] };

/** A token of the card tokenizer. */
export const cardToken: JsonSchema = {
  type: "string",
  description: "Token of the client-side card tokenizer, a UUID",
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
};

/** A US bank account given by its numbers. */
export const bankAccountFields = {
  accountType: { ...filledText, description: "For example savings or checking" },
  accountNumber: { type: "string", description: "Account number", pattern: "^[0-9]{4,17}$" },
  routingNumber: { type: "string", description: "ABA routing number", pattern: "^[0-9]{9}$" },
  accountHolder: closedOf({ type: filledText, firstName: personName, lastName: personName }, [
    "type",
    "firstName",
    "lastName",
  ]),
} as const satisfies JsonSchema;

export const cardSource = closedOf({ token: cardToken }, ["token"]);

/** The source of a PULLPUSH's money. */
const sourceSchema: JsonSchema = {
  ...objectOf({ type: { type: "string", enum: ["CARD", "BANK_ACCOUNT"] } }, ["type"]),
  allOf: [
    when("type", "CARD", closedOf({ type: true, card: cardSource }, ["card"])),
    when("type", "BANK_ACCOUNT", closedOf({ type: true, ...bankAccountFields }, Object.keys(bankAccountFields))),
  ],
};

/** Requires a PULLPUSH to name a source and to pull US dollars, and refuses a source in a PUSH. */
export const pullPushRule: JsonSchema = {
  ...when(
    "paymentType",
    "PULLPUSH",
    objectOf({
      amount: objectOf({ currency: { const: "USD" } }),
      sender: objectOf({ source: sourceSchema }, ["source"]),
    }),
  ),
  else: objectOf({ sender: objectOf({ source: false }) }),
};

/** Identity documents of any country; the country's own schema says which. */
export const anyDocuments: JsonSchema = {
  type: "array",
  items: closedOf({ document: filledText, type: filledText, countryCode: anyText }, ["document", "type"]),
};
