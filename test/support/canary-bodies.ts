import { customerPayload, type Json, validPayload } from "./corridor-payloads";
import { bankSource, cardPullBody, cardToken, pullPushBody } from "./payment-bodies";
import { freshId } from "./platform-client";

export const person = {
  type: "INDIVIDUAL",
  identificationType: "NATIONAL_ID",
  identification: "39053344705",
  gender: "F",
  birthDate: "1990-01-01",
  firstName: "Maria",
  lastName: "Silva",
  address: {
    addressLine1: "Rua 1",
    addressLine2: "Casa",
    city: "Rio",
    state: "RJ",
    postalCode: "20000-000",
    countryCode: "BR",
    phoneNumber: "+551133334444",
    emailAddress: "maria@example.com",
  },
};
/** A push within one currency, which needs no quote. */
export function samePush(): Json {
  const { fxId: _fxId, ...body } = validPayload("ECU");
  return { ...body, externalPaymentId: freshId() };
}

/** A push with every field that a payment may have about its parties. */
function talkativePush(): Json {
  const body = samePush();
  const facts = {
    email: "someone@example.com",
    phoneNumber: "+593991234567",
    birthDate: "1990-04-15",
    birthCountryCode: "ECU",
    documents: [
      { document: "A1234567", type: "PASSPORT", countryCode: "ECU" },
      { document: "B7654321", type: "ID", countryCode: "USA" },
    ],
  };
  const party = (said: unknown): Json => {
    const { address, documents: _documents, ...own } = Object(said) as Json;
    const more = { state: "Pichincha", stateCode: "P", line2: "2nd floor", zipCode: "170101" };
    return { ...facts, ...own, address: { ...more, ...Object(address) } };
  };
  return {
    ...body,
    dynamicDescriptor: "INVOICE 7",
    additionalData: { paymentPurpose: "GIFT", statementNarrative: "rent", costCentre: "four" },
    sender: party(body["sender"]),
    recipient: party(body["recipient"]),
  };
}

const described = { additionalData: { statementNarrative: "rent" }, dynamicDescriptor: "rent" };

/** Bodies that the platform accepts, by route; a route without one gets a body from its schema. */
/** A body built from the ids of earlier objects. */
type Body = (ids: Readonly<Record<string, string>>) => Json;
export const goodBodies: Readonly<Record<string, readonly Body[]>> = {
  "POST /v2/payment": [
    () => ({ ...samePush(), ...described }),
    talkativePush,
    () => ({ ...cardPullBody("1"), ...described }),
    () => ({ ...pullPushBody(bankSource()), ...described }),
    () => ({
      ...customerPayload("BRA", { type: "PIX", pix: { keyType: "EMAIL", key: "m@example.com" } }, {}),
      externalPaymentId: freshId(),
      recipientAmount: { total: 500, currency: "BRL" },
    }),
  ],
  "POST /fx/transactions": [() => ({ ...samePush(), ...described, externalId: freshId() })],
  "POST /person": [() => person],
  "POST /people": [() => person],
  "POST /companies": [() => ({ ...person, type: "BUSINESS", gender: undefined, companyName: "Acme" })],
  "POST /v1/sessions": [
    () => ({
      userRef: "user",
      type: "identity",
      documentTypes: ["PASSPORT"],
      countryCode: "BRA",
      redirectUrl: "https://example.com/",
      metadata: { note: "words", more: { again: "words" } },
    }),
  ],
  "POST /check-account": [
    () => ({
      externalPaymentId: freshId(),
      sender: {
        paymentMethod: {
          type: "BANK_DEPOSIT",
          countryCode: "US",
          accountCheckToken: "public-sandbox-ok",
          accountCheckId: "acc-checking",
        },
      },
    }),
  ],
  "POST /v2/check-card-account": [
    () => {
      const { sender, externalPaymentId, ipAddress } = cardPullBody("1");
      return {
        externalPaymentId,
        ipAddress,
        sender: { ...Object(sender), email: "a@example.com", phoneNumber: "+441632960001" },
      };
    },
  ],
  "POST /wallets": [
    () => ({
      accountAsset: "USD",
      ownerId: "owner",
      beneficiaryId: "beneficiary",
      type: "PERSONAL",
      additionalInfo: { note: "words" },
    }),
  ],
  "POST /wallets/transaction": [
    ({ walletId }) => ({ walletId, externalId: freshId(), amount: 1, paymentType: "CREDIT", description: "words" }),
  ],
  "POST /wallets/transfer": [
    ({ walletId, otherWallet }) => ({
      fromWallet: walletId,
      toWallet: otherWallet,
      externalId: freshId(),
      amount: 1,
      description: "words",
    }),
  ],
  "PUT /fx/transactions/{id}/metadata": [() => ({ metadata: { note: "words" } })],
  "POST /payments/{externalPaymentId}/refund": [() => ({ externalRefundId: freshId(), amount: 0.01, reason: "words" })],
  "POST /payout/participants/{id}/fundingAccounts": [() => ({ type: "CARD", cardTokenId: cardToken("1") })],
  "POST /payout/participants/{id}/recipientAccounts/gateway": [
    () => Object(validPayload("ECU")["recipient"]) as Json,
    () => ({ recipient: validPayload("ECU")["recipient"] }),
  ],
};
