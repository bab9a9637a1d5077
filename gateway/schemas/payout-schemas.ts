import {
  amountSchema,
  arrayOf,
  currencySchema,
  enumSchema,
  instantSchema,
  nullable,
  numberSchema,
  objectSchema,
  textSchema,
} from "./document-schema";

export const payoutQuoteRequestSchema = objectSchema(
  {
    sourceCurrencyCode: currencySchema,
    destinationCurrencyCode: currencySchema,
    paymentMethod: enumSchema("How the recipient is paid.", ["BANK_ACCOUNT", "WALLET", "CARD"]),
    sourceCurrencyAmount: numberSchema("What is to be sent."),
    destinationCountryCode: textSchema("ISO 3166-1 alpha-3 code of the corridor.", { pattern: "^[A-Z]{3}$" }),
  },
  ["destinationCountryCode"],
);

export const payoutQuoteSchema = objectSchema({
  quoteId: textSchema("Id of the quote."),
  fxId: textSchema("The same: the fxId of a payment."),
  conversionRate: numberSchema("Rate that is promised."),
  amount: amountSchema,
  recipientAmount: amountSchema,
  fee: amountSchema,
  quoteIdExpiryDateTime: instantSchema("The rate is invalid from here on."),
});

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

export const accountSchema = objectSchema({
  id: textSchema("Id of the account.", { format: "uuid" }),
  participantId: textSchema("Whose it is."),
  type: textSchema("Type of the payment method.", { examples: ["BANK_DEPOSIT", "CARD"] }),
  countryCode: nullable(textSchema("ISO 3166-1 alpha-3 code of a recipient.")),
  masked: textSchema("Its number, key or token, all but the last four characters hidden."),
  createdAt: instantSchema("When it was kept."),
});

export const accountPageSchema = objectSchema({ items: arrayOf(accountSchema) });
