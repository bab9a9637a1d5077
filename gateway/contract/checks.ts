import {
  alpha2,
  alpha3,
  answer,
  answerWith,
  described,
  exact,
  externalId,
  flag,
  oneOf,
  request,
  requestWith,
  text,
} from "./parts";
import { cardToken, tag } from "./payment-party";
import type { Schema } from "./schema";

/** Contracts of checks: link flows, bank accounts and cards. */

/** A text that is not blank. */
const filled = <const D extends string>(description: D) =>
  ({
    type: "string",
    description,
    pattern: "\\S",
    maxLength: 255,
    rule: "must be a text of 1 to 255 characters",
  }) as const satisfies Schema;

/** A text that may be empty. */
const short = <const D extends string>(description: D) =>
  ({ type: "string", description, maxLength: 255 }) as const satisfies Schema;

const time = {
  type: "string",
  description: "When it was checked, UTC.",
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
} as const satisfies Schema;

export const linkTokenRequest = {
  ...requestWith(
    "LinkTokenRequest",
    "Whose account is to be linked.",
    {
      phoneNumber: {
        type: "string",
        description: "Phone number of the customer, E.164.",
        pattern: "^\\+[1-9][0-9]{6,14}$",
        rule: "must be an E.164 number: +, country code and number, at most 15 digits",
        examples: ["+14155550123"],
      },
    },
    {
      androidPackageName: {
        type: "string",
        description: "Only when the flow is launched from an Android app.",
        pattern: "^(?:[A-Za-z][A-Za-z0-9_]*(?:\\.[A-Za-z][A-Za-z0-9_]*)+)?$",
        maxLength: 255,
        rule: "must be the name of an Android package",
        examples: ["com.example.app"],
      },
    },
  ),
  examples: [{ phoneNumber: "+14155550123" }],
} as const satisfies Schema;

export const linkToken = answer("LinkToken", "What a client opens a link flow with.", {
  token: text("What the client opens the link flow with."),
  expiration: text("ISO 8601; make a new token afterwards."),
  requestId: text("Correlation id."),
});

const linkedAccount = request("LinkedAccount", "The account that was picked in the link flow.", {
  type: tag("BANK_DEPOSIT"),
  countryCode: { ...alpha2, isA: "alpha2", examples: ["US"] },
  accountCheckToken: filled("Public token of the link flow."),
  accountCheckId: filled("Account that was picked in the link flow."),
});

export const accountCheckRequest = {
  ...request("AccountCheckRequest", "A check of a bank account that a customer has linked.", {
    externalPaymentId: described(externalId, "The caller's id of the check, its permanent idempotency key."),
    sender: request("LinkedSender", "Who has linked the account.", { paymentMethod: linkedAccount }),
  }),
  examples: [
    {
      externalPaymentId: "check-1",
      sender: {
        paymentMethod: {
          type: "BANK_DEPOSIT",
          countryCode: "US",
          accountCheckToken: "public-token-1",
          accountCheckId: "account-1",
        },
      },
    },
  ],
} as const satisfies Schema;

export const accountCheck = answerWith(
  "AccountCheck",
  "The first answer to the check of an account, which repeats of it get again.",
  {
    paymentId: text("Id of the check."),
    parentPaymentId: text("The same."),
    externalPaymentId: text("The caller's id."),
    created: time,
    approved: flag("True when the account is verified."),
    status: oneOf("How the check ended.", ["VERIFIED", "DECLINED"]),
  },
  {
    accountTokenId: text(
      "What a PULL names in sender.paymentMethod.accountTokenId. Of a verified account, as what follows.",
    ),
    accessToken: text("The linking provider's access token of the linked item."),
    bankAccountName: text("Name of the account."),
    accountNumberMasked: text("Its number: stars, and the last four characters."),
    routingNumberMasked: text("Its routing number: stars, and the last four characters."),
  },
);

const cardholderAddress = requestWith(
  "CardholderAddress",
  "The address that the issuer compares.",
  {
    countryCode: { ...alpha3, isA: "alpha3", examples: ["GBR"] },
    stateCode: filled("State or region."),
    city: filled("City."),
    line1: filled("Street and number."),
    zipCode: filled("Postal code."),
  },
  { state: short("The same value as stateCode."), line2: short("May be empty.") },
);

const cardholder = requestWith(
  "Cardholder",
  "Who holds the card.",
  {
    firstName: filled("As on the card; up to 35 characters are compared."),
    lastName: filled("As on the card; up to 35 characters are compared."),
    address: cardholderAddress,
    paymentMethod: request("CheckedCardMethod", "The card.", { type: tag("CARD"), cardTokenId: cardToken }),
  },
  { email: short("Kept with the check."), phoneNumber: short("Kept with the check.") },
);

export const cardCheckRequest = {
  ...request("CardCheckRequest", "A check of a card without a charge.", {
    externalPaymentId: described(
      externalId,
      "The caller's id. It is no idempotency key: verdicts go by names and token.",
    ),
    ipAddress: {
      type: "string",
      description: "IPv4 or IPv6 address of the cardholder.",
      isA: "ipAddress",
      pattern: "^[0-9A-Fa-f:.]*$",
      rule: "must be an IPv4 or IPv6 address",
      examples: ["203.0.113.10"],
    },
    sender: cardholder,
  }),
  examples: [
    {
      externalPaymentId: "check-2",
      ipAddress: "203.0.113.7",
      sender: {
        firstName: "Ada",
        lastName: "Lovelace",
        address: { countryCode: "GBR", stateCode: "LND", city: "London", line1: "12 Hill Road", zipCode: "N1 1AA" },
        paymentMethod: { type: "CARD", cardTokenId: "3f2b8c1e-5d4a-4b6f-9e21-7a0c9d8e6f13" },
      },
    },
  ],
} as const satisfies Schema;

const capability = answer("CardCapability", "How well a card takes one kind of transfer.", {
  capable: flag("False when it cannot, or was not evaluated."),
  highPerforming: flag("The issuer answers such calls well."),
  lowPerforming: flag("The issuer answers such calls badly."),
});

const result = <const W extends string>(what: W) =>
  text(`${what}: APPROVED, NOT_CHECKED, NOT_SUPPORTED or the issuer's own words.`);

const checkedCard = answer("VerifiedCard", "A card that was verified, or is challenged.", {
  card: answerWith(
    "CheckedCard",
    "The card.",
    { created: time },
    {
      issuerName: text("Issuing bank."),
      issuerCountry: text("ISO 3166-1 alpha-2 code."),
      bin: text("First six digits."),
      lastFour: text("Last four digits."),
    },
  ),
  verificationResults: answer("CardResults", "What the issuer has compared.", {
    avs: result("Address"),
    cvc: result("Security code"),
    aavCardholderName: result("Cardholder's name"),
  }),
  octStatus: capability,
  aftStatus: capability,
  redirectAcsUrl: text("Empty, or where the cardholder has to be sent before there is a verdict."),
});

const declinedCard = answerWith(
  "DeclinedCard",
  "A card that its issuer does not take, in the shape of a payment that never was.",
  {
    paymentId: text("Id of the check."),
    parentPaymentId: text("The same."),
    externalPaymentId: text("The caller's id."),
    created: time,
    amount: exact("Always 0."),
    approved: flag("Always false."),
    status: { type: "string", description: "Always DECLINED.", const: "DECLINED" },
    responseCode: text("PAY_022."),
    message: text("Why."),
    avsResult: text("Result, or N/A."),
    cvcResult: text("Result, or N/A."),
    aavCardholderNameResult: text("Result, or N/A."),
    redirectAcsUrl: text("Empty."),
  },
  { issuerName: text("Issuing bank."), issuerCountry: text("ISO 3166-1 alpha-2 code.") },
);

/** Callers branch on the shape, not on the status. */
export const cardCheck = {
  title: "CardCheck",
  type: "object",
  description: "Verified, challenged or declined: with `paymentId` a DeclinedCard, else a VerifiedCard.",
  chosenBy: ["paymentId"],
  oneOf: [checkedCard, declinedCard],
} as const satisfies Schema;
