import type { DocumentSchema } from "../route";
import {
  arrayOf,
  booleanSchema,
  currencySchema,
  enumSchema,
  nullable,
  numberSchema,
  objectSchema,
  textSchema,
} from "./document-schema";
import { reasonFields, reasonNames } from "./reason-schema";

const paymentStatuses = ["PENDING", "AUTHORIZED", "CAPTURED", "REFUNDED", "VOIDED", "DECLINED", "ERROR"];

const time = (description: string): DocumentSchema =>
  textSchema(`${description} UTC.`, { pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$" });

const billing = {
  stateCode: textSchema("State, province or region code; empty when not given."),
  city: textSchema("City; empty when not given."),
  line1: textSchema("Street and number; empty when not given."),
  state: textSchema("State in words; empty when not given."),
  zipCode: textSchema("Postal code; empty when not given."),
};

const card = {
  lastFourDigits: textSchema("Last four digits."),
  bin: textSchema("First six digits."),
  schemeId: textSchema("Card network."),
  issuer: textSchema("Issuing bank."),
  country: textSchema("Issuing country."),
  countryCode: textSchema("ISO 3166-1 alpha-2."),
  cardType: textSchema("DEBIT or CREDIT.", { enum: ["DEBIT", "CREDIT"] }),
  cardCategory: textSchema("For example CLASSIC, GOLD, PLATINUM."),
  currencyCode: textSchema("Currency of the card."),
};

const cardCheck = (what: string): DocumentSchema => enumSchema(what, ["APPROVED", "FAILED", "NOT_SENT", "N/A"]);

const cardV2 = {
  ...card,
  binNumber: textSchema("Extended bin."),
  countryCode3: textSchema("ISO 3166-1 alpha-3."),
  avsStatus: cardCheck("Address check."),
  cvcStatus: cardCheck("Security code check."),
};

type Fields = Readonly<Record<string, DocumentSchema>>;

const recordFields = (billingFields: Fields, cardFields: Fields): Record<string, DocumentSchema> => ({
  parentPaymentId: textSchema("Equals the payment's own id for a root payment."),
  externalId: textSchema("The caller's id."),
  requestedOn: time("Most recent operation."),
  capturedOn: nullable(time("Capture; null while not captured.")),
  refundedOn: nullable(time("Latest refund; null while not refunded.")),
  amount: numberSchema("Amount that was authorised."),
  capturedAmount: numberSchema("Amount captured so far."),
  refundedAmount: numberSchema("Amount refunded so far."),
  amountRequested: numberSchema("Amount that was asked for."),
  currency: currencySchema,
  status: enumSchema("Payment status.", paymentStatuses),
  ...reasonFields,
  approved: booleanSchema("True once the payment has succeeded."),
  ipAddress: textSchema("Address of the originator."),
  billing: objectSchema(billingFields),
  customer: objectSchema({
    firstName: textSchema("Given name; empty when not given."),
    lastName: textSchema("Family name; empty when not given."),
    phoneNumber: textSchema("Phone number; empty when not given."),
    email: textSchema("E-mail address; empty when not given."),
  }),
  transactionFees: arrayOf(
    objectSchema({
      sourceId: textSchema("Payment that caused the fee."),
      source: enumSchema("Kind of source.", ["PAYMENT"]),
      eventId: enumSchema("Event that caused the fee.", ["PRE_AUTH", "CAPTURE", "REFUND"]),
      dtCreated: time("When the fee was charged."),
      amount: numberSchema("Amount of the fee."),
    }),
  ),
  history: arrayOf(
    objectSchema(
      {
        paymentId: textSchema("Payment of the operation."),
        requestedOn: time("When it was asked for."),
        code: enumSchema("Operation.", ["PAYMENT", "CAPTURE", "REFUND"]),
        status: enumSchema("Payment status after the operation.", paymentStatuses),
        description: textSchema("Plain words."),
        requestedAmount: numberSchema("Amount of the operation."),
        ...reasonFields,
      },
      reasonNames,
    ),
  ),
  card: { ...objectSchema(cardFields), description: "The card; absent on a payment without one." },
});

export const paymentRecordV1Schema: DocumentSchema = {
  title: "PaymentRecordV1",
  ...objectSchema(recordFields(billing, card), ["card", ...reasonNames]),
};

/** Address at which the challenge of a card is answered, in records of payments that collect by card. */
const openChallengeField = {
  redirectAcsUrl: textSchema("Where the cardholder confirms; only while a challenge is open."),
};

export const paymentRecordV2Schema: DocumentSchema = {
  title: "PaymentRecordV2",
  ...objectSchema(
    {
      ...recordFields(
        {
          ...billing,
          line2: textSchema("Second address line; empty when not given."),
          countryCode: textSchema("Country as given; empty when not given."),
        },
        cardV2,
      ),
      ...openChallengeField,
    },
    ["card", "redirectAcsUrl", ...reasonNames],
  ),
};
