import type { DocumentSchema } from "../route";
import { booleanSchema, enumSchema, externalIdField, numberSchema, objectSchema, textSchema } from "./document-schema";

const time = textSchema("When it was checked, UTC.", { pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$" });
const externalPaymentId = externalIdField("The caller's id.");

export const linkTokenRequestSchema = objectSchema(
  {
    phoneNumber: textSchema("E.164.", { pattern: "^\\+[1-9]\\d{6,14}$", examples: ["+14155550123"] }),
    androidPackageName: textSchema("Only when the flow is launched from an Android app."),
  },
  ["androidPackageName"],
);

export const linkTokenSchema = objectSchema({
  token: textSchema("What the client opens the link flow with."),
  expiration: textSchema("ISO 8601; make a new token afterwards."),
  requestId: textSchema("Correlation id."),
});

export const accountCheckRequestSchema = objectSchema({
  externalPaymentId: externalIdField("The caller's id of the check, its idempotency key for ever."),
  sender: objectSchema({
    paymentMethod: objectSchema({
      type: enumSchema("Kind of account.", ["BANK_DEPOSIT"]),
      countryCode: textSchema("ISO 3166-1 alpha-2 code.", { pattern: "^[A-Z]{2}$" }),
      accountCheckToken: textSchema("Public token of the link flow."),
      accountCheckId: textSchema("Account that was picked in the link flow."),
    }),
  }),
});

export const accountCheckSchema = objectSchema(
  {
    paymentId: textSchema("Id of the check."),
    parentPaymentId: textSchema("The same."),
    externalPaymentId,
    accountTokenId: textSchema("What a PULL names in sender.paymentMethod.accountTokenId."),
    created: time,
    approved: booleanSchema("True when the account is verified."),
    accessToken: textSchema("The linking provider's access token of the linked item."),
    status: enumSchema("How the check ended.", ["VERIFIED", "DECLINED"]),
    bankAccountName: textSchema("Name of the account."),
    accountNumberMasked: textSchema("Last four characters of the number."),
    routingNumberMasked: textSchema("Last four characters of the number."),
  },
  ["accountTokenId", "accessToken", "bankAccountName", "accountNumberMasked", "routingNumberMasked"],
);

export const cardCheckRequestSchema = objectSchema({
  externalPaymentId,
  ipAddress: textSchema("IPv4 or IPv6 address of the sender."),
  sender: objectSchema(
    {
      firstName: textSchema("As on the card; up to 35 characters are compared."),
      lastName: textSchema("As on the card; up to 35 characters are compared."),
      email: textSchema("Kept with the check."),
      phoneNumber: textSchema("Kept with the check."),
      address: objectSchema(
        {
          countryCode: textSchema("ISO 3166-1 alpha-3 code.", { pattern: "^[A-Z]{3}$" }),
          stateCode: textSchema("State or region."),
          city: textSchema("City."),
          line1: textSchema("Street and number."),
          zipCode: textSchema("Postal code."),
          state: textSchema("The same value as stateCode."),
          line2: textSchema("May be empty."),
        },
        ["state", "line2"],
      ),
      paymentMethod: objectSchema({
        type: enumSchema("Kind of account.", ["CARD"]),
        cardTokenId: textSchema("UUID of the client-side tokenizer.", { format: "uuid" }),
      }),
    },
    ["email", "phoneNumber"],
  ),
});

const capability = objectSchema({
  capable: booleanSchema("False when it cannot, or was not evaluated."),
  highPerforming: booleanSchema("The issuer answers such calls well."),
  lowPerforming: booleanSchema("The issuer answers such calls badly."),
});
const result = (what: string): DocumentSchema =>
  textSchema(`${what}: APPROVED, NOT_CHECKED, NOT_SUPPORTED or the issuer's own words.`);

const checkedCard = objectSchema(
  {
    card: objectSchema(
      {
        created: time,
        issuerName: textSchema("Issuing bank."),
        issuerCountry: textSchema("ISO 3166-1 alpha-2 code."),
        bin: textSchema("First six digits."),
        lastFour: textSchema("Last four digits."),
      },
      ["issuerName", "issuerCountry", "bin", "lastFour"],
    ),
    verificationResults: objectSchema({
      avs: result("Address"),
      cvc: result("Security code"),
      aavCardholderName: result("Cardholder's name"),
    }),
    octStatus: capability,
    aftStatus: capability,
    redirectAcsUrl: textSchema("Empty, or where the cardholder has to be sent before there is a verdict."),
  },
  [],
);

const declinedCard = objectSchema(
  {
    paymentId: textSchema("Id of the check."),
    parentPaymentId: textSchema("The same."),
    externalPaymentId,
    created: time,
    amount: numberSchema("Always 0."),
    approved: booleanSchema("Always false."),
    status: enumSchema("Always DECLINED.", ["DECLINED"]),
    responseCode: textSchema("PAY_022."),
    message: textSchema("Why."),
    issuerName: textSchema("Issuing bank."),
    issuerCountry: textSchema("ISO 3166-1 alpha-2 code."),
    avsResult: textSchema("Result, or N/A."),
    cvcResult: textSchema("Result, or N/A."),
    aavCardholderNameResult: textSchema("Result, or N/A."),
    redirectAcsUrl: textSchema("Empty."),
  },
  ["issuerName", "issuerCountry"],
);

/** Callers branch on the shape, not on the status. */
export const cardCheckSchema: DocumentSchema = { oneOf: [checkedCard, declinedCard] };
