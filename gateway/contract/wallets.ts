import {
  answer,
  closedQuery,
  described,
  exact,
  externalId,
  instant,
  instantInQuery,
  integer,
  listOf,
  oneOf,
  orNull,
  text,
} from "./parts";
import type { Schema } from "./schema";

/** Contracts of the wallet routes. */

const walletId = { type: "string", description: "Id of the wallet.", format: "uuid" } as const satisfies Schema;
const accountAsset = {
  type: "string",
  description: "Currency of ISO 4217, or another asset code.",
  examples: ["USD", "USDC"],
} as const satisfies Schema;
const additionalInfo = {
  type: "object",
  description: "The caller's own facts, kept as they are.",
} as const satisfies Schema;
const ownerId = text("The caller's name for the owner.");
const beneficiaryId = text("The caller's name for the beneficiary.");
const type = {
  type: "string",
  description: "Kind of wallet.",
  examples: ["PERSONAL", "BUSINESS"],
} as const satisfies Schema;
const amount = exact("Exact amount, with no more decimals than the asset has.");
const description = text("The caller's own text.");

/** A text that a request must have. */
const required = <const S extends Schema, const L extends number>(schema: S, maxLength: L) =>
  ({
    ...schema,
    minLength: 1,
    maxLength,
    rule: `is required and must be text of at most ${maxLength} characters`,
  }) as const;

/** A wallet that a body names: a text that cannot be an id is malformed, and one that does not exist is not found. */
const namedWallet = <const D extends string>(words: D) =>
  ({
    type: "string",
    description: words,
    pattern: "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    rule: "is required and must be the id of a wallet",
  }) as const satisfies Schema;

/** The amount of a request. */
const requestedAmount = {
  ...amount,
  exclusiveMinimum: 0,
  maximum: 999_999_999_999,
  rule: "is required and must be a plain number above 0, at most 999999999999",
} as const satisfies Schema;
const key = described(externalId, "The caller's id, the permanent idempotency key.");
const words = orNull({ ...description, maxLength: 1_024 } as const);

export const walletRequest = {
  title: "WalletRequest",
  type: "object",
  description: "A wallet to open.",
  properties: {
    accountAsset: required(accountAsset, 10),
    ownerId: required(ownerId, 255),
    beneficiaryId: required(beneficiaryId, 255),
    type: required(type, 64),
    additionalInfo: orNull(additionalInfo),
  },
  required: ["accountAsset", "ownerId", "beneficiaryId", "type"],
  additionalProperties: false,
} as const satisfies Schema;

export const wallet = {
  title: "Wallet",
  type: "object",
  description: "A wallet.",
  properties: {
    walletId,
    accountAsset,
    ownerId,
    beneficiaryId,
    type,
    status: oneOf("A frozen or closed wallet takes part in no movement.", ["ACTIVE", "FROZEN", "CLOSED"]),
    createdAt: instant("When it was opened."),
    additionalInfo,
  },
  required: ["walletId", "accountAsset", "ownerId", "beneficiaryId", "type", "status", "createdAt"],
} as const satisfies Schema;

export const walletBalance = answer("WalletBalance", "What a wallet has.", {
  walletId,
  accountAsset,
  availableBalance: exact("What may be spent."),
  heldBalance: exact("Open holds, debits and credits."),
  totalBalance: exact("Available and held."),
});

export const walletListQuery = closedQuery("Which wallets are meant.", {
  asset: { ...accountAsset, description: "Only of this asset.", minLength: 1, maxLength: 10 },
  status: oneOf("Only in this state.", ["ACTIVE", "FROZEN", "CLOSED"]),
  after: text("`next` of the page before. It goes on in the same list with the same filters."),
  limit: { ...integer("Most wallets of a page."), minimum: 1, maximum: 200, default: 25 },
});

export const walletPage = answer("WalletPage", "A page of wallets.", {
  wallets: listOf("The newest first.", wallet),
  next: orNull(text("`after` of the next page; null on the last. A page with few wallets, or none, may have it.")),
});

export const statementQuery = {
  type: "object",
  description: "Which entries are shown.",
  properties: {
    from: instantInQuery("First instant, inclusive; a bare date is that UTC day."),
    until: instantInQuery("Last instant, exclusive; after `from`. A bare date is that UTC day."),
    page: { type: "integer", description: "Page, from 0.", minimum: 0, maximum: 2_147_483_647, default: 0 },
    size: { type: "integer", description: "Entries on a page.", minimum: 1, maximum: 200, default: 20 },
    order: {
      ...oneOf(
        "Which come first; text is the oldest first. Entries that are settled meanwhile shift pages of the newest first.",
        ["oldest", "newest"],
      ),
      default: "oldest",
    },
  },
} as const satisfies Schema;

export const walletStatement = answer("WalletStatement", "Settled entries of a wallet.", {
  walletId,
  entries: listOf(
    "The entries of this page, in the order that was asked for.",
    answer("StatementEntry", "A settled entry.", {
      transactionId: text("Id of what was settled."),
      externalId: orNull(text("The caller's id; null where there is none.")),
      type: oneOf("Direction.", ["CREDIT", "DEBIT"]),
      amount,
      description: orNull(description),
      balanceAfter: exact("Settled total after this entry."),
      createdAt: instant("When it was settled."),
    }),
  ),
  page: integer("Page as it was asked for."),
  size: integer("Size as it was asked for."),
  totalEntries: { type: "integer", description: "Entries within the range, on all pages.", exactDecimal: "plain" },
});

export const walletTransactionRequest = {
  title: "WalletTransactionRequest",
  type: "object",
  description: "A debit or credit.",
  properties: {
    walletId: namedWallet("Id of the wallet."),
    externalId: key,
    amount: requestedAmount,
    paymentType: oneOf("What it does to the wallet.", ["DEBIT", "CREDIT"]),
    description: words,
    hold: { type: ["boolean", "null"], description: "True to reserve only; false when absent." },
    expiresAt: {
      type: ["string", "null"],
      description: "When an open hold releases itself, of holds only; an ISO 8601 time with its offset.",
      isA: "instant",
      rule: "must be an ISO 8601 time with its offset",
      examples: ["2030-01-01T12:00:00Z"],
    },
  },
  required: ["walletId", "externalId", "amount", "paymentType"],
  additionalProperties: false,
} as const satisfies Schema;

const transactionId = {
  type: "string",
  description: "Id of the transaction.",
  format: "uuid",
} as const satisfies Schema;
const receiptKey = text("The caller's id.");

export const walletTransaction = {
  title: "WalletTransaction",
  type: "object",
  description: "A debit or credit as it was made.",
  properties: {
    transactionId,
    walletId,
    externalId: receiptKey,
    amount,
    paymentType: oneOf("What it does to the wallet.", ["DEBIT", "CREDIT"]),
    status: oneOf("HELD until it is confirmed or released.", ["COMPLETED", "HELD"]),
    description: orNull(description),
    createdAt: instant("When it was made."),
    expiresAt: instant("When an open hold releases itself."),
  },
  required: ["transactionId", "walletId", "externalId", "amount", "paymentType", "status", "description", "createdAt"],
} as const satisfies Schema;

export const confirmedTransaction = answer("ConfirmedTransaction", "A hold that is settled.", {
  transactionId,
  walletId,
  status: oneOf("It is settled.", ["COMPLETED"]),
  amount,
  confirmedAt: instant("When it was settled."),
});

export const voidedTransaction = answer("VoidedTransaction", "A hold that is released.", {
  transactionId,
  walletId,
  status: oneOf("It is released.", ["VOIDED"]),
  amount,
  voidedAt: instant("When it was released."),
});

export const transferRequest = {
  title: "WalletTransferRequest",
  type: "object",
  description: "An amount to move between two wallets.",
  properties: {
    fromWallet: namedWallet("Id of the wallet that pays."),
    toWallet: namedWallet("Id of the wallet that receives."),
    amount: requestedAmount,
    externalId: key,
    description: words,
  },
  required: ["fromWallet", "toWallet", "amount", "externalId"],
  additionalProperties: false,
} as const satisfies Schema;

const transfer = {
  transferId: { type: "string", description: "Id of the transfer.", format: "uuid" },
  externalTransferId: receiptKey,
} as const satisfies Record<string, Schema>;

export const walletTransfer = answer("WalletTransfer", "A transfer as it was made.", {
  ...transfer,
  fromWallet: described(walletId, "Id of the wallet that paid."),
  toWallet: described(walletId, "Id of the wallet that received."),
  amount,
  status: oneOf("Both wallets are booked.", ["COMPLETED"]),
  createdAt: instant("When it was made."),
});

export const voidedTransfer = answer("VoidedTransfer", "A transfer that was given back.", {
  ...transfer,
  status: oneOf("The amount is back.", ["VOIDED"]),
  voidedAt: instant("When it was reversed."),
});
