import {
  additionalDataSchema,
  alpha3Code,
  amountSchema,
  anyText,
  closedOf,
  emailText,
  filledText,
  type JsonSchema,
  objectOf,
  personName,
  publishedDocument,
  type SchemaDocument,
  when,
} from "./json-schema";
import { cardToken, currencyCode, payoutFields, payoutTypes, pullPushRule } from "./payment-parts";

const version = "1.5.0";

/** The smallest amount of this request variant, in whole units. */
const smallestAmount = 1;

const customerFields = {
  firstName: personName,
  lastName: personName,
  phoneNumber: { type: "string", description: "7 to 15 digits", pattern: "^\\+?[0-9]{7,15}$" },
  documentNumber: { type: "string", description: "5 to 20 digits", pattern: "^[0-9]{5,20}$" },
  documentType: { type: "string", enum: ["NATIONAL_ID", "PASSPORT", "DRIVER_LICENSE"] },
  email: emailText,
  countryCodeAlpha3: alpha3Code,
};

const customerAddress = closedOf(
  {
    countryCode: { type: "string", description: "ISO 3166-1 alpha-2", pattern: "^[A-Z]{2}$" },
    stateCode: filledText,
    state: anyText,
    city: filledText,
    line1: filledText,
    line2: anyText,
    zipCode: filledText,
  },
  ["stateCode", "city", "line1", "zipCode"],
);

const party = { customer: closedOf(customerFields, Object.keys(customerFields)), customerAddress };

const destination: JsonSchema = {
  ...objectOf({ type: { type: "string", enum: ["CARD", "PIX", "WALLET"] } }, ["type"]),
  allOf: [
    when("type", "CARD", closedOf({ type: true, cardTokenId: cardToken }, ["cardTokenId"])),
    when("type", "PIX", closedOf({ type: true, pix: pixSchema() }, ["pix"])),
    when(
      "type",
      "WALLET",
      closedOf({ type: true, wallet: closedOf({ walletId: filledText }, ["walletId"]) }, ["wallet"]),
    ),
  ],
};

function pixSchema(): JsonSchema {
  const keyType = {
    type: "string",
    description: "DOCUMENT for a CPF or CNPJ, EVP for a random key",
    enum: ["EMAIL", "PHONE", "DOCUMENT", "EVP"],
  };
  return closedOf({ keyType, key: filledText }, ["keyType", "key"]);
}

const schema = {
  title: "Push payment to a customer",
  version,
  description:
    "What a push of a customer to a destination must contain; the destination country's rules for currency and additionalData are added",
  ...closedOf(
    {
      ...payoutFields,
      paymentType: payoutTypes,
      amount: amountSchema(currencyCode, smallestAmount),
      recipientAmount: amountSchema(currencyCode),
      sender: closedOf({ ...party, source: { type: "object" } }, ["customer", "customerAddress"]),
      recipient: closedOf({ ...party, destination }, ["customer", "customerAddress", "destination"]),
      additionalData: additionalDataSchema(),
    },
    [
      "externalPaymentId",
      "ipAddress",
      "paymentType",
      "amount",
      "recipientAmount",
      "exchangeRate",
      "sender",
      "recipient",
    ],
  ),
  allOf: [pullPushRule],
};

/** The schema of a push in the customer and destination variant. */
export const customerSchema: SchemaDocument = publishedDocument("customer", schema);
