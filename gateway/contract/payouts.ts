import {
  alpha3,
  amount,
  answer,
  currency,
  described,
  exact,
  instant,
  listOf,
  orNull,
  request,
  requestWith,
  text,
  words,
} from "./parts";
import { cardToken, tag } from "./payment-party";
import { recipient } from "./payment-recipient";
import { additionalData } from "./payments";
import type { Schema } from "./schema";

/** Contracts of payouts: quotes with fees, and the accounts that agents store for their participants. */

const largestUnits = 999_999_999_999;

const sourceCurrencyAmount = {
  type: "number",
  description: "What is to be sent, with no more decimals than its currency has.",
  minimum: 0,
  maximum: largestUnits,
  exactDecimal: "plain",
  rule: `is required and must be a number from 0 to ${largestUnits} with no more decimals than its currency has`,
} as const satisfies Schema;

export const payoutQuoteRequest = requestWith(
  "PayoutQuoteRequest",
  "Which payout is asked for.",
  {
    sourceCurrencyCode: described(currency, "ISO 4217 code of what is paid."),
    destinationCurrencyCode: described(currency, "ISO 4217 code of what is received."),
    paymentMethod: words("How the recipient is paid: BANK_ACCOUNT, WALLET or CARD."),
    sourceCurrencyAmount,
  },
  {
    destinationCountryCode: words(
      "ISO 3166-1 alpha-3 code; narrows the rate to a corridor. There is no route to any other text: PAY_001.",
    ),
  },
);

export const payoutQuote = answer("PayoutQuote", "A rate, and what a payout would pay and cost.", {
  quoteId: text("Id of the quote."),
  fxId: text("The same: the fxId of a payment."),
  conversionRate: exact("Rate that is promised."),
  amount,
  recipientAmount: amount,
  fee: amount,
  quoteIdExpiryDateTime: instant("The rate is invalid from here on."),
});

const accountToken = {
  type: "string",
  description: "The accountTokenId of a verified check, a UUID.",
  pattern: cardToken.pattern,
  rule: "must be an account token, a UUID",
  examples: ["7a0c9d8e-6f13-4b6f-9e21-3f2b8c1e5d4a"],
} as const satisfies Schema;

export const fundingAccountRequest = {
  title: "FundingAccountRequest",
  type: "object",
  description: "A source of money, by the token that a check or the tokenizer gave.",
  discriminator: { propertyName: "type" },
  oneOf: [
    request("FundingCard", "A card.", { type: tag("CARD"), cardTokenId: cardToken }),
    request("FundingBankAccount", "A bank account that was checked before.", {
      type: tag("BANK_DEPOSIT"),
      accountTokenId: accountToken,
    }),
  ],
  examples: [{ type: "CARD", cardTokenId: "3f2b8c1e-5d4a-4b6f-9e21-7a0c9d8e6f13" }],
} as const satisfies Schema;

export const recipientAccountRequest = {
  ...requestWith(
    "RecipientAccountRequest",
    "Who is paid and how, as in a payment; what its country asks for, GET /schema/{countryCode} says.",
    { recipient },
    { additionalData },
  ),
  examples: [
    {
      recipient: {
        firstName: "Maria",
        lastName: "Souza",
        documents: [{ document: "390.533.447-05", type: "CPF" }],
        paymentMethod: { type: "PIX", countryCode: "BRA", key: "maria@example.com", keyType: "EMAIL" },
      },
    },
  ],
} as const satisfies Schema;

export const payoutAccount = answer("PayoutAccount", "An account of a participant.", {
  id: { ...text("Id of the account."), format: "uuid" },
  participantId: text("Whose it is."),
  type: { ...text("Type of the payment method."), examples: ["BANK_DEPOSIT", "CARD"] },
  countryCode: orNull(described(alpha3, "ISO 3166-1 alpha-3 code of a recipient.")),
  masked: text("Its number, key or token, all but the last four characters hidden."),
  createdAt: instant("When it was kept."),
});

export const payoutAccountPage = answer("PayoutAccountPage", "The accounts of a participant.", {
  items: listOf("The oldest first.", payoutAccount),
});
