import { alpha3ToAlpha2 } from "i18n-iso-countries";
import type { JsonObject, JsonValue } from "../../../shared/kernel/json";
import { type Decimal, formatDecimal, formatMoney, type Money } from "../../../shared/kernel/money";
import type { Party, PostalAddress } from "../../domain/party";
import {
  type AdditionalData,
  type CollectionSource,
  type PaymentIntent,
  type PayoutIntent,
  typeOfIntent,
} from "../../domain/payment-intent";
import { methodInWords } from "../../domain/payment-methods";
import type { PayoutDestination } from "../../domain/payout-account";

/**
 * Returns the payment as JSON, with the names that the schemas `push`, `pull` and the country schemas use. Fields that were not given are
 * omitted.
 */
export function intentView(intent: PaymentIntent): JsonObject {
  const { sender, payout } = intent;
  const source = sourceView(intent);
  return {
    ...rootView(intent),
    ...(sender !== undefined && { sender: { ...partyView(sender), ...source } }),
    ...(payout?.recipient !== undefined && {
      recipient: { ...partyView(payout.recipient), paymentMethod: methodView(payout) },
    }),
  };
}

/** Returns who is paid and how as JSON, with the names that the country schemas use. */
export const recipientView = ({ recipient, additionalData, ...how }: PayoutDestination): JsonObject => ({
  ...(recipient !== undefined && { recipient: { ...partyView(recipient), paymentMethod: methodView(how) } }),
  ...(additionalData !== undefined && { additionalData: additionalView(additionalData) }),
});

/** Returns the payment as JSON, with the names that the schema `customer` uses. */
export function customerView(intent: PaymentIntent): JsonObject {
  const { sender, payout } = intent;
  const source = sourceView(intent);
  return {
    ...rootView(intent),
    ...(sender !== undefined && { sender: { ...customerPartyView(sender, sender.countryCode), ...source } }),
    ...(payout?.recipient !== undefined && {
      recipient: {
        ...customerPartyView(payout.recipient, payout.countryCode),
        ...(payout.method !== undefined && { destination: destinationView(payout) }),
      },
    }),
  };
}

/** Maps fields that the schema `customer` names differently, the longer names first. */
const customerWords: readonly (readonly [RegExp, string])[] = [
  [/^(sender|recipient)\.customer\.documentNumber$/, "$1.documents.0.document"],
  [/^(sender|recipient)\.customer\.documentType$/, "$1.documents.0.type"],
  [/^recipient\.customer\.countryCodeAlpha3$/, "recipient.paymentMethod.countryCode"],
  [/^sender\.customer\.countryCodeAlpha3$/, "sender.countryCode"],
  [/^(sender|recipient)\.customerAddress\b/, "$1.address"],
  [/^(sender|recipient)\.customer\.(\w+)$/, "$1.$2"],
  [/^recipient\.destination\.(?:pix|wallet)\b/, "recipient.paymentMethod"],
  [/^recipient\.destination\b/, "recipient.paymentMethod"],
];

/** Translates a field name of the schema `customer` to the name that the country schemas use. */
export function customerFieldInWords(field: string): string {
  const row = customerWords.find(([pattern]) => pattern.test(field));
  return row === undefined ? field : field.replace(row[0], row[1]);
}

function rootView(intent: PaymentIntent): JsonObject {
  const { amount, collection, payout, additionalData } = intent;
  const paymentType = typeOfIntent(intent);
  return {
    ...given("externalPaymentId", intent.externalId),
    ...given("ipAddress", intent.ipAddress),
    ...(paymentType !== undefined && { paymentType }),
    ...(amount !== undefined && { amount: amountView(amount) }),
    ...(payout?.amount !== undefined && { recipientAmount: amountView(payout.amount) }),
    ...(payout?.exchangeRate !== undefined && { exchangeRate: numberView(payout.exchangeRate) }),
    ...given("fxId", payout?.quoteId ?? ""),
    ...given("dynamicDescriptor", intent.statementDescriptor),
    ...(additionalData !== undefined && { additionalData: additionalView(additionalData) }),
    ...(collection?.captureAtOnce === false && { capture: false }),
  };
}

/** Schemas check only the size of a number, so a float is enough. The amounts themselves are never read back from here. */
const amountView = (amount: Money): JsonObject => ({ total: Number(formatMoney(amount)), currency: amount.currency });
const numberView = (decimal: Decimal): number => Number(formatDecimal(decimal));

const additionalView = ({ purpose, narrative, extras }: AdditionalData): JsonObject => ({
  ...extras,
  ...given("paymentPurpose", purpose),
  ...given("statementNarrative", narrative),
});

const given = (name: string, text: string): JsonObject => (text === "" ? {} : { [name]: text });

/**
 * Maps a party. The schemas use the same names for its texts; its country is given by its address, or by the field that says who is paid.
 */
function partyView({ address, documents, countryCode: _country, ...texts }: Party): JsonObject {
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")),
    ...(address !== undefined && { address: addressView(address) }),
    ...(documents.length > 0 && { documents: documents.map(documentView) }),
  };
}

const documentView = ({ number, type, countryCode }: Party["documents"][number]): JsonValue => ({
  ...given("document", number),
  ...given("type", type),
  ...given("countryCode", countryCode),
});

const addressView = (address: PostalAddress): JsonObject => ({
  ...given("countryCode", address.countryCode),
  ...given("stateCode", address.stateCode),
  ...given("state", address.state),
  ...given("city", address.city),
  ...given("line1", address.line1),
  ...given("line2", address.line2),
  ...given("zipCode", address.zipCode),
});

const methodView = ({ method, countryCode }: Pick<PayoutIntent, "method" | "countryCode">): JsonObject => ({
  ...(method !== undefined && methodInWords(method)),
  ...given("countryCode", countryCode),
});

function customerPartyView({ address, documents, ...party }: Party, country: string): JsonObject {
  const [document] = documents;
  return {
    customer: {
      ...given("firstName", party.firstName),
      ...given("lastName", party.lastName),
      ...given("phoneNumber", party.phoneNumber),
      ...given("email", party.email),
      ...given("documentNumber", document?.number ?? ""),
      ...given("documentType", document?.type ?? ""),
      ...given("countryCodeAlpha3", country),
    },
    ...(address !== undefined && {
      customerAddress: { ...addressView(address), ...given("countryCode", alpha2Of(address.countryCode)) },
    }),
  };
}

/** Returns the alpha-2 code; text that is not an alpha-3 code stays as it is, and is refused for its form. */
const alpha2Of = (country: string): string => (country === "XKX" ? "XK" : (alpha3ToAlpha2(country) ?? country));

function destinationView({ method }: PayoutIntent): JsonObject {
  if (method === undefined) return {};
  const { type, ...fields } = methodInWords(method);
  if (method.kind === "pix") return { type, pix: fields };
  return method.kind === "wallet" ? { type, wallet: fields } : { type, ...fields };
}

/** Maps the source of a collection. A PULL names a token as its payment method; anything else that is collected from is a source. */
function sourceView(intent: PaymentIntent): JsonObject {
  const source = intent.collection?.source;
  if (source === undefined) return {};
  const isPull = intent.payout === undefined;
  if (isPull && source.kind === "card")
    return { paymentMethod: { type: "CARD", ...given("cardTokenId", source.token) } };
  if (isPull && source.kind === "account") return { paymentMethod: accountView(source) };
  return { source: collectedView(source) };
}

const accountView = ({ token }: { token: string }): JsonObject => ({
  type: "BANK_DEPOSIT",
  ...given("accountTokenId", token),
});

function collectedView(source: CollectionSource): JsonObject {
  switch (source.kind) {
    case "card":
      return { type: "CARD", card: given("token", source.token) };
    case "account":
      return accountView(source);
    case "bank":
      return {
        type: "BANK_ACCOUNT",
        ...given("accountType", source.accountType),
        ...given("accountNumber", source.accountNumber),
        ...given("routingNumber", source.routingNumber),
        accountHolder: {
          ...given("type", source.holderType),
          ...given("firstName", source.holderFirstName),
          ...given("lastName", source.holderLastName),
        },
      };
  }
}
