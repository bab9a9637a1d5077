import { enumSchema, objectSchema, textSchema } from "./document-schema";

const token = (description: string) => textSchema(description, { format: "uuid" });

/** A source of money, by the token that a check or the tokenizer gave. */
export const fundingAccountRequestSchema = objectSchema(
  {
    type: enumSchema("Kind of source.", ["CARD", "BANK_DEPOSIT"]),
    cardTokenId: token("Of a CARD."),
    accountTokenId: token("Of a BANK_DEPOSIT: that of a verified check."),
  },
  ["cardTokenId", "accountTokenId"],
);

export const recipientAccountRequestSchema = objectSchema(
  {
    recipient: {
      type: "object",
      description: "As in a payment in the schema shape. Rules: GET /schema/{countryCode}.",
    },
    additionalData: { type: "object", description: "Extras of the corridor." },
  },
  ["additionalData"],
);
