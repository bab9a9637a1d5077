import { responseCodeWords } from "../schemas/response-codes";
import { answer, answerWith, described, exact, externalId, flag, oneOf, requestWith, text } from "./parts";
import { reasonMembers } from "./reasons";
import type { Schema } from "./schema";

/** Contracts of the actions on a pull after its creation. */

const maxUnits = 999_999_999_999;

const amount = <const D extends string>(description: D) =>
  ({ type: "number", description, minimum: 0, maximum: maxUnits, exactDecimal: "plain" }) as const satisfies Schema;

export const captureRequest = {
  title: "CaptureRequest",
  type: "object",
  description: "What is captured. An empty object, or no body at all, captures everything.",
  properties: {
    amount: amount("What to capture, in the currency of the payment; the rest is released. Everything when absent."),
  },
  additionalProperties: false,
  examples: [{ amount: 70.5 }],
} as const satisfies Schema;

export const refundRequest = {
  ...requestWith(
    "RefundRequest",
    "What is given back.",
    { externalRefundId: described(externalId, "The caller's id of the refund, its permanent idempotency key.") },
    {
      amount: amount("What to give back, in the currency of the payment. All that is left when absent."),
      reason: {
        type: "string",
        description: "Plain words, kept with the refund.",
        maxLength: 255,
        rule: "must be a text of at most 255 characters",
        examples: ["wrong size"],
      },
    },
  ),
  examples: [{ externalRefundId: "refund-1", amount: 25, reason: "wrong size" }],
} as const satisfies Schema;

const statuses = ["PENDING", "AUTHORIZED", "CAPTURED", "REFUNDED", "VOIDED", "DECLINED", "ERROR"] as const;

const identity = {
  paymentId: text("Id of the payment; of a refund its own."),
  parentPaymentId: text("Equals paymentId for a root payment; of a refund the payment that it gives back."),
  externalPaymentId: text("The caller's id of the payment."),
  amount: exact("Amount of the operation."),
  created: {
    type: "string",
    description: "When it took effect; of a refund when it was asked for. UTC.",
    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$",
  },
  approved: flag("True when it succeeded."),
  automaticReversed: flag("True when the platform did it by itself."),
  status: oneOf("Status after the operation.", statuses),
  captured: flag("True once captured."),
  voided: flag("True once voided."),
} as const satisfies Record<string, Schema>;

/** The issuer's response, beside the outcome of a void or capture. */
const issuer = {
  authCode: text("Authorisation code; empty when there is none."),
  issuerName: text("Issuing bank; empty when it is not known."),
  issuerCountry: text("Issuing country, ISO 3166-1 alpha-2; empty when it is not known."),
  cvcResult: text("Security code check, or N/A."),
  avsResult: text("Address check, or N/A."),
} as const satisfies Record<string, Schema>;

const responseCode = { type: "string", description: responseCodeWords, examples: ["00"] } as const satisfies Schema;

export const voidReceipt = answer("VoidReceipt", "The first answer to a void, which repeats of it get again.", {
  ...identity,
  message: text("Plain words."),
  ...issuer,
});

export const captureReceipt = answer(
  "CaptureReceipt",
  "The first answer to a capture, which repeats of it get again.",
  { ...identity, responseCode, ...issuer },
);

export const refundReceipt = answerWith(
  "RefundReceipt",
  "The first answer to a refund, which repeats of it get again.",
  { ...identity, externalRefundId: text("The caller's id of the refund."), responseCode },
  { reason: text("As given; absent when it was not."), ...reasonMembers },
);
