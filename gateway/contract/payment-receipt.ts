import { reasonFields } from "../schemas/reason-schema";
import { responseCodeWords } from "../schemas/response-codes";
import { amount, answer, answerWith, currency, exact, flag, listOf, oneOf, orNull, text } from "./parts";
import type { Schema } from "./schema";

/** The charges of a payment that succeeds. */
export const expectedFees = ["PRE_AUTH", "CAPTURE"] as const;

/** Answers of the routes that create payments, or check one beforehand. */

const time = {
  type: "string",
  description: "When the payment was accepted. UTC.",
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
} as const satisfies Schema;
export const paymentStatuses = [
  "PENDING",
  "AUTHORIZED",
  "CAPTURED",
  "REFUNDED",
  "VOIDED",
  "DECLINED",
  "ERROR",
] as const;

const receiptFields = {
  paymentId: text("Id of the payment."),
  parentPaymentId: text("Equals paymentId for a root payment."),
  externalPaymentId: text("The caller's id."),
  amount: exact("Amount of the payment."),
  created: time,
  status: oneOf("PENDING once accepted.", paymentStatuses),
  approved: flag("False on a pending push; this is not a decline."),
  captured: flag("True once captured."),
  voided: flag("True once voided."),
  responseCode: { type: "string", description: responseCodeWords, examples: ["00"] },
  automaticReversed: flag("True when the platform reversed the payment by itself."),
} as const satisfies Record<string, Schema>;

const sometimes = {
  message: text("What the provider said, on a pull."),
  authCode: text("Authorisation code, on a pull by card."),
  redirectAcsUrl: text("Where the cardholder confirms a challenge; only while there is one."),
  reasonCode: {
    type: "string",
    description: String(reasonFields.reasonCode["description"]),
    pattern: "^[A-Z0-9]{2,4}$",
    examples: ["AC03", "51"],
  },
  whoseMove: oneOf("Who can do something about it.", ["payer", "recipient", "platform", "provider"]),
  reasonMessage: text("The reason in one sentence."),
} as const satisfies Record<string, Schema>;

export const paymentReceipt = answerWith(
  "PaymentReceipt",
  "The first answer to a payment, which repeats of it get again.",
  receiptFields,
  sometimes,
);

export const transactionReceipt = answerWith(
  "TransactionReceipt",
  "The first answer to a transaction, which repeats of it get again.",
  {
    transactionId: { type: "string", description: "Id of the transaction; also the paymentId.", format: "uuid" },
    externalTransactionId: orNull(text("The agent's externalId; null when it gave none.")),
    ...receiptFields,
  },
  sometimes,
);

const problem = answer("PaymentProblem", "One reason why the payment would be refused.", {
  code: text("Code that POST /v2/payment would answer."),
  field: text("Dotted path of the field."),
  message: text("The rule that it breaks."),
});

const price = {
  ...answer(
    "PaymentPrice",
    "What would be converted; null while something is wrong, and for a payment without a payout.",
    {
      amount,
      recipientAmount: amount,
      exchangeRate: exact("Rate between the two."),
    },
  ),
  type: ["object", "null"],
} as const satisfies Schema;

export const paymentValidation = answer("PaymentValidation", "What POST /v2/payment would say of the same body now.", {
  valid: flag("True when POST /v2/payment would accept the same body now."),
  errors: listOf("Everything that is wrong.", problem),
  price,
  fees: listOf(
    "What the tenant would be charged if all goes well.",
    answer("ExpectedFee", "A fee.", {
      eventId: oneOf("What the fee is charged for.", expectedFees),
      total: exact("The fee, charged to the tenant."),
      currency,
    }),
  ),
  advice: listOf(
    "What looks mistyped. A payment is not refused for it.",
    answer(
      "PaymentAdvice",
      "A number whose checksum does not fit, or a postal code that looks like none of its country.",
      {
        field: text("Dotted path of the number."),
        message: text("What looks mistyped."),
      },
    ),
  ),
});
