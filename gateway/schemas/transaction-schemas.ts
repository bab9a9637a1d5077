import { transactionMoves } from "../../services/shared/kernel/transaction-states";
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
import { openChallengeField } from "./payment-schemas";
import { reasonFields, reasonNames } from "./reason-schema";

const stateSchema = enumSchema("Transaction state.", Object.keys(transactionMoves));
const transactionId = textSchema("Id of the transaction; also the paymentId.", { format: "uuid" });
const externalTransactionId = nullable(textSchema("The agent's externalId; null when it gave none."));

const transactionFields = {
  transactionId,
  externalTransactionId,
  externalPaymentId: textSchema("The externalPaymentId of the request."),
  paymentType: enumSchema("What it does.", ["PUSH", "PULL", "PULLPUSH"]),
  status: stateSchema,
  complianceStatus: textSchema("Compliance status."),
  payoutStatus: nullable(textSchema("Status of the payout leg.")),
  paymentStatus: textSchema("Payment status."),
  amount: amountSchema,
  recipientAmount: { ...amountSchema, type: ["object", "null"] },
  fxId: nullable(textSchema("The quote that it used.")),
  metadata: { type: "object", additionalProperties: { type: "string" } },
  createdAt: instantSchema("When it was accepted."),
  updatedAt: instantSchema("When it last moved."),
  ...openChallengeField,
  ...reasonFields,
};

export const transactionSchema = objectSchema(transactionFields, ["redirectAcsUrl", ...reasonNames]);

export const transactionPageSchema = objectSchema({
  items: arrayOf(transactionSchema),
  next: nullable(textSchema("Cursor for the next page; null on the last.")),
});

export const movesSchema = objectSchema({
  items: arrayOf(
    objectSchema(
      {
        oldStatus: nullable(textSchema("State before; null on the first move.")),
        newStatus: stateSchema,
        occurredAt: instantSchema("When it was decided."),
        messages: arrayOf(textSchema("Words for people.")),
        ...reasonFields,
      },
      reasonNames,
    ),
  ),
});

export const cancelSchema = objectSchema({
  transactionId,
  externalTransactionId,
  status: enumSchema("What was asked for; webhooks and look-ups tell how it ends.", ["CancelRequested"]),
  requestedAt: instantSchema("The first time it was asked for."),
});

export const metadataRequestSchema = objectSchema({
  metadata: { type: "object", maxProperties: 20, additionalProperties: { type: "string", maxLength: 500 } },
});

export const limitsSchema = objectSchema({
  limits: arrayOf(
    objectSchema({
      currency: currencySchema,
      window: enumSchema("Of the calendar in UTC.", ["DAY", "MONTH"]),
      limit: numberSchema("What may be sent in the window."),
      used: numberSchema("What accepted transactions have used."),
      left: numberSchema("What is left."),
      resetsAt: instantSchema("When the window ends."),
    }),
  ),
});
