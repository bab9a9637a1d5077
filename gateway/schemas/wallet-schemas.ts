import type { DocumentSchema, QueryParameter } from "../route";
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  externalIdField,
  instantSchema,
  nullable,
  numberSchema,
  objectSchema,
  textSchema,
} from "./document-schema";

const walletId = textSchema("Id of the wallet.", { format: "uuid" });
const accountAsset = textSchema("Currency of ISO 4217, or another asset code.", { examples: ["USD", "USDC"] });
const externalId = externalIdField("The caller's id, the idempotency key for ever.");
const amount = numberSchema("Exact amount, with no more decimals than the asset has.", { exclusiveMinimum: 0 });
const description = textSchema("The caller's words.", { maxLength: 1024 });
const paymentType = enumSchema("What it does to the wallet.", ["DEBIT", "CREDIT"]);
const additionalInfo = { type: "object", description: "The caller's own facts, kept as they are." };

const party = {
  ownerId: textSchema("The caller's name for the owner.", { maxLength: 255 }),
  beneficiaryId: textSchema("The caller's name for the beneficiary.", { maxLength: 255 }),
  type: textSchema("Kind of wallet.", { maxLength: 64, examples: ["PERSONAL", "BUSINESS"] }),
};

export const walletRequestSchema: DocumentSchema = objectSchema({ accountAsset, ...party, additionalInfo }, [
  "additionalInfo",
]);

export const walletSchema: DocumentSchema = objectSchema(
  {
    walletId,
    accountAsset,
    ...party,
    status: enumSchema("A frozen or closed wallet takes part in no movement.", ["ACTIVE", "FROZEN", "CLOSED"]),
    createdAt: instantSchema("When it was opened."),
    additionalInfo,
  },
  ["additionalInfo"],
);

export const balanceSchema: DocumentSchema = objectSchema({
  walletId,
  accountAsset,
  availableBalance: numberSchema("What may be spent."),
  heldBalance: numberSchema("Open holds, debits and credits."),
  totalBalance: numberSchema("Available and held."),
});

export const statementQuery: Readonly<Record<string, QueryParameter>> = {
  from: { description: "First instant, inclusive; a bare date is that UTC day.", schema: { type: "string" } },
  until: { description: "Last instant, exclusive; a bare date is that UTC day.", schema: { type: "string" } },
  page: { description: "Page, from 0.", schema: { type: "integer", minimum: 0, default: 0 } },
  size: { description: "Entries on a page.", schema: { type: "integer", minimum: 1, maximum: 200, default: 20 } },
};

export const statementSchema: DocumentSchema = objectSchema({
  walletId,
  entries: arrayOf(
    objectSchema({
      transactionId: textSchema("Id of what was settled."),
      externalId: nullable(textSchema("The caller's id; null where there is none.")),
      type: enumSchema("Direction.", ["CREDIT", "DEBIT"]),
      amount,
      description: nullable(description),
      balanceAfter: numberSchema("Settled total after this entry."),
      createdAt: instantSchema("When it was settled."),
    }),
  ),
  page: { type: "integer" },
  size: { type: "integer" },
  totalEntries: { type: "integer", description: "Entries within the range, on all pages." },
});

const expiresAt = instantSchema("When an open hold releases itself.");

export const transactionRequestSchema: DocumentSchema = objectSchema(
  {
    walletId,
    externalId,
    amount,
    paymentType,
    description,
    hold: booleanSchema("True to reserve only; false when absent."),
    expiresAt,
  },
  ["description", "hold", "expiresAt"],
);

const transactionId = textSchema("Id of the transaction.", { format: "uuid" });

export const transactionSchema: DocumentSchema = objectSchema(
  {
    transactionId,
    walletId,
    externalId,
    amount,
    paymentType,
    status: enumSchema("HELD until it is confirmed or released.", ["COMPLETED", "HELD"]),
    description: nullable(description),
    createdAt: instantSchema("When it was made."),
    expiresAt,
  },
  ["expiresAt"],
);

export const confirmSchema: DocumentSchema = objectSchema({
  transactionId,
  walletId,
  status: enumSchema("It is settled.", ["COMPLETED"]),
  amount,
  confirmedAt: instantSchema("When it was settled."),
});

export const transactionVoidSchema: DocumentSchema = objectSchema({
  transactionId,
  walletId,
  status: enumSchema("It is released.", ["VOIDED"]),
  amount,
  voidedAt: instantSchema("When it was released."),
});

export const transferRequestSchema: DocumentSchema = objectSchema(
  { fromWallet: walletId, toWallet: walletId, amount, externalId, description },
  ["description"],
);

const transfer = {
  transferId: textSchema("Id of the transfer.", { format: "uuid" }),
  externalTransferId: externalId,
};

export const transferSchema: DocumentSchema = objectSchema({
  ...transfer,
  fromWallet: walletId,
  toWallet: walletId,
  amount,
  status: enumSchema("Both wallets are booked.", ["COMPLETED"]),
  createdAt: instantSchema("When it was made."),
});

export const transferVoidSchema: DocumentSchema = objectSchema({
  ...transfer,
  status: enumSchema("The amount is back.", ["VOIDED"]),
  voidedAt: instantSchema("When it was reversed."),
});
