import {
  additionalDataSchema,
  addressSchema,
  alpha3Code,
  amountSchema,
  anyText,
  draft07,
  filledText,
  type JsonSchema,
  objectOf,
  type SchemaDocument,
} from "./json-schema";
import {
  anyDocuments,
  currencyCode,
  destinationCountryRule,
  payoutTypes,
  pullPushRule,
  rootFields,
} from "./payment-parts";

const version = "1.2.0";

const document: JsonSchema = {
  $schema: draft07,
  title: "Push payment",
  version,
  description: "What every push must contain; the schema of the destination country adds to it",
  ...objectOf(
    {
      ...rootFields,
      paymentType: payoutTypes,
      amount: amountSchema(currencyCode),
      recipientAmount: amountSchema(currencyCode),
      sender: objectOf(
        { firstName: filledText, lastName: filledText, address: addressSchema(), email: anyText, phoneNumber: anyText },
        ["firstName", "lastName", "address"],
      ),
      recipient: {
        ...objectOf(
          {
            firstName: filledText,
            lastName: filledText,
            address: addressSchema(),
            documents: anyDocuments,
            paymentMethod: objectOf(
              { type: { type: "string", enum: ["BANK_DEPOSIT", "WALLET", "PIX", "CARD"] }, countryCode: alpha3Code },
              ["type"],
            ),
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

/** The generic schema of a push in the schema-driven shape. */
export const pushSchema: SchemaDocument = { name: "push", version, bytes: Buffer.from(JSON.stringify(document)) };
