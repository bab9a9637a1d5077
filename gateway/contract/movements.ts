import { answer, closedQuery, exact, instant, instantInQuery, integer, listOf, oneOf, orNull, text } from "./parts";

/** Contracts of wallets' movements in their current state. */

export const movementKinds = ["DEBIT", "CREDIT", "PAYOUT", "TRANSFER"] as const;
export const movementStatuses = ["COMPLETED", "HELD", "VOIDED", "EXPIRED"] as const;

export const movementQuery = closedQuery("Which movements are meant.", {
  type: oneOf("Only of this type.", movementKinds),
  walletId: { ...text("Only those that this wallet has a part in."), minLength: 1, maxLength: 64 },
  from: instantInQuery("Made then or later; a bare date is the beginning of that UTC day."),
  until: instantInQuery("Made before; after `from`. A bare date is the beginning of that UTC day."),
  after: text("`next` of the page before. It goes on in the same list with the same filters."),
  limit: { ...integer("Most movements of a page."), minimum: 1, maximum: 200, default: 25 },
});

export const walletMovement = answer("WalletMovement", "A movement of wallets, as it stands.", {
  id: { ...text("Id of the transaction or transfer."), format: "uuid" },
  externalId: text("The caller's id; the payment's id for a payout."),
  type: oneOf("DEBIT and CREDIT of one wallet, PAYOUT of a payment into one, or TRANSFER between two.", movementKinds),
  status: oneOf("VOIDED is a hold that was released, or a transfer that was given back.", movementStatuses),
  fromWallet: orNull(text("Wallet that pays; null for what comes from outside.")),
  toWallet: orNull(text("Wallet that receives; null for what goes outside.")),
  amount: exact("Exact amount."),
  accountAsset: text("Its asset: a currency of ISO 4217, or another asset code."),
  description: orNull(text("The caller's own text.")),
  createdAt: instant("When it was made."),
  expiresAt: orNull(instant("When its hold releases itself; null for none.")),
  endedAt: orNull(instant("When its hold ended, or the transfer was given back; null while neither has happened.")),
});

export const walletMovementPage = answer("WalletMovementPage", "A page of movements.", {
  transactions: listOf("The newest first.", walletMovement),
  next: orNull(text("`after` of the next page; null on the last. A page with few movements, or none, may have it.")),
});
