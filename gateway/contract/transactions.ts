import { limitWindows } from "../../services/shared/kernel/refusal-details";
import { transactionMoves } from "../../services/shared/kernel/transaction-states";
import {
  amount,
  answer,
  answerWith,
  currency,
  exact,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  request,
  text,
} from "./parts";
import { reasonMembers } from "./reasons";
import type { Schema } from "./schema";

/** Contracts of transactions: payments as agents see them. */

export const transactionStates = Object.keys(transactionMoves) as readonly (keyof typeof transactionMoves)[];
export const paymentTypes = ["PUSH", "PULL", "PULLPUSH"] as const;

const state = oneOf("Transaction state.", transactionStates);
const transactionId = { ...text("Id of the transaction; also the paymentId."), format: "uuid" } as const;
const externalTransactionId = orNull(text("The agent's externalId; null when it gave none."));

const noted = {
  type: "object",
  description: "What the agent notes on it.",
  additionalProperties: text("A note."),
} as const satisfies Schema;

export const recipientAmount = {
  ...amount,
  title: "RecipientAmountOrNone",
  type: ["object", "null"],
  description: "What the recipient gets; null where no recipient is paid.",
} as const satisfies Schema;

export const transaction = answerWith(
  "Transaction",
  "A payment as its agent sees it.",
  {
    transactionId,
    externalTransactionId,
    externalPaymentId: text("The externalPaymentId of the request."),
    paymentType: oneOf("What it does.", paymentTypes),
    status: state,
    complianceStatus: text("Compliance status."),
    payoutStatus: orNull(text("Status of the payout leg.")),
    paymentStatus: text("Payment status."),
    amount,
    recipientAmount,
    fxId: orNull(text("The quote that it used.")),
    metadata: noted,
    createdAt: instant("When it was accepted."),
    updatedAt: instant("When it last moved."),
  },
  { redirectAcsUrl: text("Where the cardholder confirms; only while a challenge is open."), ...reasonMembers },
);

export const transactionPage = answer("TransactionPage", "A page of transactions.", {
  items: listOf("The newest first.", transaction),
  next: orNull(text("Cursor for the next page; null on the last.")),
});

export const transactionQuery = {
  type: "object",
  description: "Which transactions are meant.",
  properties: {
    after: text("Cursor of the page before."),
    status: { ...oneOf("Only transactions in this state.", transactionStates), rule: "must be a transaction state" },
    limit: { ...integer("Most transactions of a page."), minimum: 1, maximum: 200, default: 25 },
  },
} as const satisfies Schema;

export const transactionHistory = answer("TransactionHistory", "The moves of a transaction.", {
  items: listOf(
    "The oldest first.",
    answerWith(
      "TransactionMove",
      "A move of a transaction.",
      {
        oldStatus: orNull(text("State before; null on the first move.")),
        newStatus: state,
        occurredAt: orNull(instant("When it was decided.")),
        messages: listOf("Words for people.", text("A sentence.")),
      },
      reasonMembers,
    ),
  ),
});

export const transactionCancel = answer("TransactionCancel", "What was asked for.", {
  transactionId,
  externalTransactionId,
  status: oneOf("What was asked for; webhooks and look-ups show how it ends.", ["CancelRequested"]),
  requestedAt: orNull(instant("The first time it was asked for.")),
});

export const metadataRequest = request("TransactionMetadata", "What the agent notes on a transaction.", {
  metadata: {
    type: "object",
    description: "At most 20 notes, with keys of 1 to 64 characters. They replace those before.",
    maxProperties: 20,
    additionalProperties: { ...text("A note."), maxLength: 500 },
  },
});

export const agentLimits = answer("AgentLimits", "How much an agent may still send.", {
  limits: listOf(
    "One for each window.",
    answer("AgentLimit", "How much may be sent in a window.", {
      currency,
      window: oneOf("Of the calendar in UTC.", limitWindows),
      limit: exact("What may be sent in the window."),
      used: exact("What accepted transactions have used."),
      left: exact("What is left."),
      resetsAt: orNull(instant("When the window ends.")),
    }),
  ),
});
