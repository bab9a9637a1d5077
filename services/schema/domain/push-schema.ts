import {
  additionalDataSchema,
  addressSchema,
  alpha3Code,
  amountSchema,
  anyText,
  closedOf,
  dateText,
  type JsonSchema,
  objectOf,
  personName,
  publishedDocument,
  type SchemaDocument,
  when,
} from "./json-schema";
import {
  anyDocuments,
  currencyCode,
  destinationCountryRule,
  onlyOfMethod,
  payoutFields,
  payoutTypes,
  pullPushRule,
} from "./payment-parts";

const version = "1.6.0";

const birth = { birthDate: dateText, birthCountryCode: alpha3Code };
const methodTypes = ["BANK_DEPOSIT", "WALLET", "PIX", "CARD"];

/** Kinds of aliases of bank accounts; country schemas narrow them. */
const accountNumberType = { type: "string", enum: ["UPI", "DIMO"] };

/** A bank deposit may name an alias of an account; country schemas say which. */
const paymentMethod: JsonSchema = {
  ...objectOf({ type: { type: "string", enum: methodTypes }, countryCode: alpha3Code, accountNumberType }, ["type"]),
  allOf: methodTypes.map((type) =>
    when("type", type, onlyOfMethod(type, type === "BANK_DEPOSIT" ? ["accountNumberType"] : [])),
  ),
};

const schema = {
  title: "Push payment",
  version,
  description: "What every push must contain; the schema of the destination country adds to it",
  ...closedOf(
    {
      ...payoutFields,
      paymentType: payoutTypes,
      amount: amountSchema(currencyCode),
      recipientAmount: amountSchema(currencyCode),
      sender: closedOf(
        {
          firstName: personName,
          lastName: personName,
          address: addressSchema(),
          email: anyText,
          phoneNumber: anyText,
          ...birth,
          documents: anyDocuments,
          source: { type: "object" },
        },
        ["firstName", "lastName", "address"],
      ),
      recipient: {
        ...closedOf(
          {
            firstName: personName,
            lastName: personName,
            address: addressSchema(),
            documents: anyDocuments,
            email: anyText,
            phoneNumber: anyText,
            contactNumber: anyText,
            ...birth,
            dateOfBirth: dateText,
            paymentMethod,
          },
          ["firstName", "lastName", "paymentMethod"],
        ),
        ...destinationCountryRule,
      },
      additionalData: additionalDataSchema(),
    },
    ["externalPaymentId", "ipAddress", "paymentType", "amount", "recipientAmount", "sender", "recipient"],
  ),
  allOf: [pullPushRule],
};

/** The generic schema of a push in the schema-driven variant. */
export const pushSchema: SchemaDocument = publishedDocument("push", schema);
