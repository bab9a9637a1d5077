import { alpha3, described, oneOf, text, words } from "./parts";
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

/** The recipient of a payment, and the method by which it is paid. */

const destinationCountry = described(
  alpha3,
  "Destination country, ISO 3166-1 alpha-3; where it is missing that of the recipient's address counts.",
);

const bankDeposit = {
  title: "BankDeposit",
  type: "object",
  description: "A bank account, or an alias of one.",
  properties: {
    type: tag("BANK_DEPOSIT"),
    countryCode: destinationCountry,
    accountNumber: text("Account number by the form of the country: an IBAN, a CLABE, a UPI address …"),
    accountNumberType: oneOf("The number is an alias: UPI in IND, DIMO in MEX.", ["UPI", "DIMO"]),
    accountType: text("Kind of account, by the list of the country."),
    bankCode: text("Code of the bank, by the form of the country."),
    routingNumber: text("Branch or routing number, by the form of the country."),
  },
  required: ["type"],
  additionalProperties: false,
} as const satisfies Schema;

const walletPayout = {
  title: "WalletPayout",
  type: "object",
  description: "A mobile or electronic wallet.",
  properties: {
    type: tag("WALLET"),
    countryCode: destinationCountry,
    walletId: text("Name of the wallet at its operator."),
    walletType: text("Kind of wallet, by the list of the country."),
    walletOperator: text("Operator, by the list of the country."),
  },
  required: ["type"],
  additionalProperties: false,
} as const satisfies Schema;

const pixFields = {
  key: text("Key in the directory of PIX."),
  keyType: oneOf("DOCUMENT for a CPF or CNPJ, EVP for a random key.", ["EMAIL", "PHONE", "DOCUMENT", "EVP"]),
} as const satisfies Record<string, Schema>;

const pixPayout = {
  title: "PixPayout",
  type: "object",
  description: "A key of PIX.",
  properties: { type: tag("PIX"), countryCode: destinationCountry, ...pixFields },
  required: ["type", "key", "keyType"],
  additionalProperties: false,
} as const satisfies Schema;

const cardPayout = {
  title: "CardPayout",
  type: "object",
  description: "A card.",
  properties: { type: tag("CARD"), countryCode: destinationCountry, cardTokenId: cardToken },
  required: ["type", "cardTokenId"],
  additionalProperties: false,
} as const satisfies Schema;

const payoutMethod = {
  title: "PayoutMethod",
  type: "object",
  description: "How the recipient is paid. Each country offers some of these.",
  discriminator: { propertyName: "type" },
  oneOf: [bankDeposit, walletPayout, pixPayout, cardPayout],
} as const satisfies Schema;

export const recipient = {
  title: "Recipient",
  type: "object",
  description: "Who is paid, and how.",
  properties: {
    firstName: givenName,
    lastName: familyName,
    paymentMethod: payoutMethod,
    address,
    documents: { type: "array", description: "Identity documents.", items: document },
    email,
    phoneNumber,
    contactNumber: text("Another name for phoneNumber."),
    birthDate,
    dateOfBirth: described(birthDate, "Another name for birthDate."),
    birthCountryCode,
  },
  required: ["firstName", "lastName", "paymentMethod"],
  additionalProperties: false,
} as const satisfies Schema;

const cardDestination = {
  title: "CardDestination",
  type: "object",
  description: "A card.",
  properties: { type: tag("CARD"), cardTokenId: cardToken },
  required: ["type", "cardTokenId"],
  additionalProperties: false,
} as const satisfies Schema;

const pixDestination = {
  title: "PixDestination",
  type: "object",
  description: "A key of PIX.",
  properties: {
    type: tag("PIX"),
    pix: {
      title: "PixKey",
      type: "object",
      description: "The key.",
      properties: pixFields,
      required: ["keyType", "key"],
      additionalProperties: false,
    },
  },
  required: ["type", "pix"],
  additionalProperties: false,
} as const satisfies Schema;

const walletDestination = {
  title: "WalletDestination",
  type: "object",
  description: "A wallet of this platform or of an operator.",
  properties: {
    type: tag("WALLET"),
    wallet: {
      title: "WalletName",
      type: "object",
      description: "The wallet.",
      properties: { walletId: words("An e-mail address or an identifier.") },
      required: ["walletId"],
      additionalProperties: false,
    },
  },
  required: ["type", "wallet"],
  additionalProperties: false,
} as const satisfies Schema;

const destination = {
  title: "PayoutDestination",
  type: "object",
  description: "How the customer is paid.",
  discriminator: { propertyName: "type" },
  oneOf: [cardDestination, pixDestination, walletDestination],
} as const satisfies Schema;

const customerRecipient = {
  title: "CustomerRecipient",
  type: "object",
  description: "A customer who is paid, and how.",
  properties: { customer, customerAddress, destination },
  required: ["customer", "customerAddress", "destination"],
  additionalProperties: false,
} as const satisfies Schema;

export const anyRecipient = {
  title: "AnyRecipient",
  type: "object",
  description:
    "Who is paid: with `destination` or `customer` a CustomerRecipient, else a Recipient by the rules of the country.",
  chosenBy: ["destination", "customer"],
  oneOf: [recipient, customerRecipient],
} as const satisfies Schema;
