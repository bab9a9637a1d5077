import {
  alpha3,
  amount,
  answer,
  answerWith,
  closedQuery,
  currency,
  flag,
  instant,
  instantInQuery,
  integer,
  listOf,
  oneOf,
  orNull,
  text,
} from "./parts";
import { paymentStatuses } from "./payment-receipt";
import { reasonMembers } from "./reasons";
import type { Schema } from "./schema";
import { paymentTypes, recipientAmount, transactionStates } from "./transactions";

/** Contracts of lists of payments. */

const methods = ["BANK_DEPOSIT", "WALLET", "PIX", "CARD"] as const;
export const sources = ["CARD", "ACCOUNT"] as const;

const decimal = <const D extends string>(description: D) =>
  ({
    type: "string",
    description,
    pattern: "^(?:0|[1-9][0-9]{0,11})(?:\\.[0-9]{1,6})?$",
    rule: "must be a plain decimal of at most 12 digits and 6 decimals",
    examples: ["100.50"],
  }) as const satisfies Schema;

const ruled = <const S extends Schema, const R extends string>(schema: S, rule: R) => ({ ...schema, rule }) as const;

/** Members that all payments of a list have. */
const filters = {
  status: ruled(oneOf("Only with this payment status.", paymentStatuses), "must be a payment status"),
  state: ruled(oneOf("Only in this transaction state.", transactionStates), "must be a transaction state"),
  type: oneOf("Only of this type.", paymentTypes),
  currency: { ...currency, description: "Only of amounts in this currency, an ISO 4217 code." },
  recipientCurrency: { ...currency, description: "Only those that pay out in this currency, an ISO 4217 code." },
  minAmount: decimal("Least amount, in units of its currency."),
  maxAmount: decimal("Largest amount, in units of its currency."),
  country: { ...alpha3, description: "Only those that pay to this country, an ISO 3166-1 alpha-3 code." },
  method: oneOf("Only those that pay by this method.", methods),
  from: instantInQuery("Created then or later; a bare date is the beginning of that UTC day."),
  until: instantInQuery("Created before; after `from`. A bare date is the beginning of that UTC day."),
  changedFrom: instantInQuery("Moved last then or later."),
  changedUntil: instantInQuery("Moved last before; after `changedFrom`."),
  agentId: { ...text("Only transactions of this agent."), minLength: 1, maxLength: 64 },
  reasonCode: {
    ...text("Only those that are for this reason not as they were asked for."),
    pattern: "^[A-Z0-9]{2,4}$",
    rule: "must be a reason code, such as AC03",
    examples: ["AC03", "51"],
  },
  idPrefix: {
    ...text("Only those whose externalPaymentId begins with it."),
    pattern: "^[A-Za-z0-9._:-]{1,255}$",
    rule: "must be 1 to 255 characters of A-Z, a-z, 0-9, '.', '_', ':' and '-'",
    examples: ["order-2026-02"],
  },
} as const;

const page = {
  after: text("`next` of the page before. It goes on in the same list with the same filters."),
  limit: { ...integer("Most payments of a page."), minimum: 1, maximum: 200, default: 25 },
} as const;

export const paymentListQuery = closedQuery("Which payments are meant.", { ...filters, ...page });

export const operatorPaymentListQuery = closedQuery("Which payments are meant.", {
  tenant: { ...text("Only payments of this tenant, by its slug."), minLength: 1, maxLength: 64 },
  ...filters,
  overdue: {
    ...flag("Only those that are still due a minute after their time."),
    const: true,
    rule: "must be true",
  },
  stuck: { ...flag("Only those that a person must look at."), const: true, rule: "must be true" },
  ...page,
});

export const payoutMethods = ["BANK_DEPOSIT", "WALLET", "PIX", "CARD"] as const;

const listedRecipient = answerWith(
  "ListedRecipient",
  "Who is paid, and how.",
  { method: oneOf("How.", payoutMethods), countryCode: text("ISO 3166-1 alpha-3 code.") },
  {
    name: { ...text("First letters of the name."), examples: ["M*** S***"] },
    account: { ...text("Last four characters of the account."), examples: ["****4321"] },
  },
);

const listedSource = answerWith(
  "ListedSource",
  "Where the money is collected from.",
  { type: oneOf("A card, or a bank account.", sources) },
  { lastFourDigits: text("Of the card, once it is known.") },
);

const members = {
  paymentId: { ...text("Id of the payment."), format: "uuid" },
  externalPaymentId: text("The caller's id."),
  paymentType: oneOf("What it does.", paymentTypes),
  status: oneOf("Payment status.", paymentStatuses),
  transactionState: oneOf("Transaction state.", transactionStates),
  complianceStatus: text("Compliance status."),
  payoutStatus: orNull(text("Status of the payout leg; null where there is none.")),
  amount,
  recipientAmount,
  recipient: { ...orNull(listedRecipient), title: "ListedRecipientOrNone" },
  source: { ...orNull(listedSource), title: "ListedSourceOrNone" },
  agentId: orNull(text("Its agent; null for a payment of the tenant itself.")),
  fxId: orNull(text("The quote that it used.")),
  createdAt: instant("When it was accepted."),
  updatedAt: instant("When it last moved."),
} as const;

const maybe = {
  senderName: { ...text("First letters of the payer's name."), examples: ["A*** L***"] },
  ...reasonMembers,
} as const;

export const listedPayment = answerWith("ListedPayment", "A payment as lists show it.", members, maybe);

const nextWords = "`after` of the next page; null on the last. A page with few payments, or none, may have it.";

const example = {
  paymentId: "0d4c6a4e-2f0b-8a7d-9b1e-5a3f6c7d8e90",
  externalPaymentId: "order-2026-0017",
  paymentType: "PUSH",
  status: "DECLINED",
  transactionState: "PayoutRejected",
  complianceStatus: "Approved",
  payoutStatus: "DECLINED",
  amount: { total: 100.5, currency: "USD" },
  recipientAmount: { total: 525.03, currency: "BRL" },
  recipient: { method: "PIX", countryCode: "BRA", name: "M*** S***", account: "****.com" },
  source: null,
  agentId: null,
  fxId: "7b7a9a52-6a0f-4a86-9f3c-0d5f2f6d9a11",
  createdAt: "2026-02-03T04:05:06.000Z",
  updatedAt: "2026-02-03T04:05:09.000Z",
  senderName: "A*** L***",
  reasonCode: "AC03",
  whoseMove: "recipient",
  reasonMessage: "The recipient's account is unknown.",
};

export const paymentListPage = {
  ...answer("PaymentListPage", "A page of payments.", {
    payments: listOf("The newest first.", listedPayment),
    next: orNull(text(nextWords)),
  }),
  examples: [{ payments: [example], next: null }],
} as const;

export const operatorListedPayment = answerWith(
  "OperatorListedPayment",
  "A payment as operators see it in lists.",
  {
    tenant: text("Slug of its tenant."),
    ...members,
    dueAt: orNull(instant("When somebody must look at it if nothing happens before; null at rest.")),
    escalatedAt: orNull(instant("Since when a person must look at it; null while none needs to.")),
  },
  maybe,
);

export const operatorPaymentListPage = {
  ...answer("OperatorPaymentListPage", "A page of payments.", {
    payments: listOf("The newest first.", operatorListedPayment),
    next: orNull(text(nextWords)),
  }),
  examples: [{ payments: [{ tenant: "demo", ...example, dueAt: null, escalatedAt: null }], next: null }],
} as const;
