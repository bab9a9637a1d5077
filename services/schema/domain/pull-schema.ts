import {
  additionalDataSchema,
  addressSchema,
  amountSchema,
  anyText,
  closedOf,
  filledText,
  type JsonSchema,
  objectOf,
  personName,
  publishedDocument,
  type SchemaDocument,
  when,
  where,
} from "./json-schema";
import { bankAccountFields, cardSource, cardToken, currencyCode, rootFields } from "./payment-parts";

const version = "1.5.0";

const token = { ...filledText, description: "Token of a checked bank account" };

/** A card by its token, or a bank account that was checked before. */
const paymentMethod: JsonSchema = {
  ...objectOf({ type: { type: "string", enum: ["BANK_DEPOSIT", "CARD"] } }, ["type"]),
  allOf: [
    when("type", "BANK_DEPOSIT", closedOf({ type: true, accountTokenId: token }, ["accountTokenId"])),
    when("type", "CARD", closedOf({ type: true, cardTokenId: cardToken }, ["cardTokenId"])),
  ],
};

/** The same, or in PULLPUSH field names. */
const source: JsonSchema = {
  ...objectOf({ type: { type: "string", enum: ["BANK_DEPOSIT", "CARD", "BANK_ACCOUNT"] } }, ["type"]),
  allOf: [
    when("type", "BANK_DEPOSIT", closedOf({ type: true, accountTokenId: token }, ["accountTokenId"])),
    when("type", "BANK_ACCOUNT", closedOf({ type: true, ...bankAccountFields }, Object.keys(bankAccountFields))),
    when("type", "CARD", {
      ...where({ required: ["card"] }, closedOf({ type: true, card: cardSource })),
      else: closedOf({ type: true, cardTokenId: cardToken }, ["cardTokenId"]),
    }),
  ],
};

const isCard = (place: string): JsonSchema =>
  objectOf({ sender: objectOf({ [place]: objectOf({ type: { const: "CARD" } }, ["type"]) }, [place]) }, ["sender"]);

const schema = {
  title: "Pull payment",
  version,
  description: "What a payment that only collects must contain",
  ...closedOf(
    {
      ...rootFields,
      paymentType: { type: "string", enum: ["PULL"] },
      amount: amountSchema(currencyCode),
      sender: {
        ...closedOf(
          {
            firstName: personName,
            lastName: personName,
            email: anyText,
            phoneNumber: anyText,
            address: addressSchema(),
            paymentMethod,
            source,
          },
          ["firstName", "lastName"],
        ),
        ...where({ required: ["source"] }, objectOf({ paymentMethod: false })),
        else: { required: ["paymentMethod"] },
      },
      additionalData: additionalDataSchema(),
    },
    ["externalPaymentId", "paymentType", "amount", "sender"],
  ),
  allOf: [
    where(isCard("paymentMethod"), { required: ["ipAddress"] }),
    where(isCard("source"), { required: ["ipAddress"] }),
  ],
};

/** The schema of a pull. */
export const pullSchema: SchemaDocument = publishedDocument("pull", schema);
