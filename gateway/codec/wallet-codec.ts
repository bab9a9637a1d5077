import type { Money, Decimal as WireDecimal } from "../../proto/gen/corridor/common/v1/money";
import {
  type CreateTransactionResponse,
  type CreateTransferResponse,
  Direction,
  type GetBalanceResponse,
  type GetStatementResponse,
  type OpenWalletIntent,
  type StatementEntry,
  type TransferIntent,
  type VoidTransactionResponse,
  type VoidTransferResponse,
  type Wallet,
  WalletStatus,
  type WalletTransactionIntent,
  WalletTransactionStatus,
} from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { formatMinor } from "../../services/shared/kernel/assets";
import { parseInstant } from "../../services/shared/kernel/clock";
import { DomainError } from "../../services/shared/kernel/errors";
import { exactNumber } from "../../services/shared/kernel/exact-number";
import type { JsonObject } from "../../services/shared/kernel/json";
import type { Decimal } from "../../services/shared/kernel/money";
import type { Draft } from "../contract/draft";
import type { Infer } from "../contract/infer";
import type { transferRequest, walletRequest, walletTransactionRequest } from "../contract/wallets";

/** A body, or the valid remainder of a refused one. An absent text and an empty one mean the same. */
type WalletBody = Draft<Infer<typeof walletRequest>>;
type TransactionBody = Draft<Infer<typeof walletTransactionRequest>>;
type TransferBody = Draft<Infer<typeof transferRequest>>;

const directions = { DEBIT: Direction.DEBIT, CREDIT: Direction.CREDIT } as const;

export function toOpenIntent({
  accountAsset,
  ownerId,
  beneficiaryId,
  type,
  additionalInfo,
}: WalletBody): OpenWalletIntent {
  const info = additionalInfo ?? undefined;
  return {
    accountAsset: accountAsset ?? "",
    ownerId: ownerId ?? "",
    beneficiaryId: beneficiaryId ?? "",
    type: type ?? "",
    additionalInfoJson: Buffer.from(info === undefined ? "" : JSON.stringify(info)),
  };
}

export function toTransactionIntent(body: TransactionBody): WalletTransactionIntent {
  const { externalId, walletId, amount, paymentType, description, hold, expiresAt } = body;
  return {
    externalId: externalId ?? "",
    walletId: walletId ?? "",
    amount: toDecimal(amount),
    direction: paymentType ? directions[paymentType] : Direction.UNSPECIFIED,
    description: description ?? "",
    hold: hold === true ? { expiresAt: expiresAt ? parseInstant(expiresAt) : undefined } : undefined,
  };
}

export function toTransferIntent(body: TransferBody): TransferIntent {
  const { externalId, fromWallet, toWallet, amount, description } = body;
  return {
    externalId: externalId ?? "",
    fromWallet: fromWallet ?? "",
    toWallet: toWallet ?? "",
    amount: toDecimal(amount),
    description: description ?? "",
  };
}

const maxInt64 = 2n ** 63n - 1n;
/** Most decimals of an amount on the wire. */
const maxScale = 18;

/** True for an amount that a message can carry. No asset has amounts that are more exact. */
export const fitsMessage = ({ digits, scale }: Decimal): boolean => digits <= maxInt64 && scale <= maxScale;

const toDecimal = (amount: Decimal | null | undefined): WireDecimal | undefined =>
  amount && fitsMessage(amount) ? { unscaled: amount.digits, scale: amount.scale } : undefined;

/** The state that a list is filtered by. */
export const toWalletStatus = (word: "ACTIVE" | "FROZEN" | "CLOSED" | undefined): WalletStatus =>
  word === undefined ? WalletStatus.UNSPECIFIED : WalletStatus[word];

const statuses: Readonly<Record<WalletStatus, "ACTIVE" | "FROZEN" | "CLOSED" | undefined>> = {
  [WalletStatus.UNSPECIFIED]: undefined,
  [WalletStatus.ACTIVE]: "ACTIVE",
  [WalletStatus.FROZEN]: "FROZEN",
  [WalletStatus.CLOSED]: "CLOSED",
  [WalletStatus.UNRECOGNIZED]: undefined,
};

const directionNames: Readonly<Record<Direction, "DEBIT" | "CREDIT" | undefined>> = {
  [Direction.UNSPECIFIED]: undefined,
  [Direction.DEBIT]: "DEBIT",
  [Direction.CREDIT]: "CREDIT",
  [Direction.UNRECOGNIZED]: undefined,
};

const transactionStatuses: Readonly<Record<WalletTransactionStatus, "COMPLETED" | "HELD" | "VOIDED" | undefined>> = {
  [WalletTransactionStatus.UNSPECIFIED]: undefined,
  [WalletTransactionStatus.COMPLETED]: "COMPLETED",
  [WalletTransactionStatus.HELD]: "HELD",
  [WalletTransactionStatus.VOIDED]: "VOIDED",
  [WalletTransactionStatus.UNRECOGNIZED]: undefined,
};

/** The value, which every answer of the wallet service has. */
function sent<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`the wallet service sent no ${what}`);
  return value;
}

const amountOf = (amount: Money | undefined) => {
  const { amountMinor, currency } = sent(amount, "amount");
  return exactNumber(formatMinor(amountMinor, currency));
};

export function renderWallet(wallet: Wallet | undefined) {
  const { walletId, accountAsset, ownerId, beneficiaryId, type, status, createdAt, additionalInfoJson } = sent(
    wallet,
    "wallet",
  );
  const info = Buffer.from(additionalInfoJson).toString("utf8");
  return {
    walletId,
    accountAsset,
    ownerId,
    beneficiaryId,
    type,
    status: sent(statuses[status], "status"),
    createdAt: sent(createdAt, "time"),
    ...(info === "" ? {} : { additionalInfo: JSON.parse(info) as JsonObject }),
  };
}

export function renderBalance({ walletId, accountAsset, balance }: GetBalanceResponse) {
  const { available, held, total } = sent(balance, "balance");
  return {
    walletId,
    accountAsset,
    availableBalance: amountOf(available),
    heldBalance: amountOf(held),
    totalBalance: amountOf(total),
  };
}

export const renderStatement = ({ walletId, entries, page, size, totalEntries }: GetStatementResponse) => ({
  walletId,
  entries: entries.map(renderEntry),
  page,
  size,
  totalEntries: exactNumber(totalEntries.toString()),
});

const renderEntry = (entry: StatementEntry) => ({
  transactionId: entry.transactionId,
  externalId: entry.externalId ?? null,
  type: sent(directionNames[entry.direction], "direction"),
  amount: amountOf(entry.amount),
  description: entry.description ?? null,
  balanceAfter: amountOf(entry.balanceAfter),
  createdAt: sent(entry.createdAt, "time"),
});

/** The receipt form that this release requests. */
export const answerForm = 1;

/**
 * Renderers of receipts by the number of their form. A form never changes: a caller who repeats a request gets the bytes of the first
 * answer. A new field of an answer makes a new form, which one release can render before any release requests it.
 */
function byForm<Facts, Body>(form1: (facts: Facts) => Body): (form: number, facts: Facts) => Body {
  // Form 0 is recorded for callers who render no receipt: through this API it is rendered as form 1.
  const forms: Readonly<Record<number, (facts: Facts) => Body>> = { 0: form1, 1: form1 };
  return (form, facts) => {
    const render = forms[form];
    if (render === undefined) throw new DomainError("UNAVAILABLE", "the answer is in a form of a later release");
    return render(facts);
  };
}

const transactionForms = byForm(({ transaction }: CreateTransactionResponse) => {
  const facts = sent(transaction, "transaction");
  const { transactionId, walletId, externalId, expiresAt } = facts;
  return {
    transactionId,
    walletId,
    externalId,
    amount: amountOf(facts.amount),
    paymentType: sent(directionNames[facts.direction], "direction"),
    status: heldOrDone(facts.status),
    description: facts.description ?? null,
    createdAt: sent(facts.createdAt, "time"),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
});

function heldOrDone(status: WalletTransactionStatus): "COMPLETED" | "HELD" {
  const word = transactionStatuses[status];
  if (word === "COMPLETED" || word === "HELD") return word;
  throw new Error("the wallet service sent a transaction that is neither completed nor held");
}

/** The facts of a hold that ended in a given way. */
function holdEndOf({ holdEnd }: VoidTransactionResponse, wanted: "COMPLETED" | "VOIDED") {
  const { transactionId, walletId, status, amount, endedAt } = sent(holdEnd, "receipt");
  if (transactionStatuses[status] !== wanted) throw new Error(`the wallet service sent a hold that is not ${wanted}`);
  return { facts: { transactionId, walletId }, amount: amountOf(amount), at: sent(endedAt, "time") };
}

const confirmedForms = byForm((response: VoidTransactionResponse) => {
  const { facts, amount, at } = holdEndOf(response, "COMPLETED");
  return { ...facts, status: "COMPLETED" as const, amount, confirmedAt: at };
});

const voidedForms = byForm((response: VoidTransactionResponse) => {
  const { facts, amount, at } = holdEndOf(response, "VOIDED");
  return { ...facts, status: "VOIDED" as const, amount, voidedAt: at };
});

const transferForms = byForm(({ transfer }: CreateTransferResponse) => {
  const { transferId, externalId, fromWallet, toWallet, amount, createdAt } = sent(transfer, "transfer");
  return {
    transferId,
    externalTransferId: externalId,
    fromWallet,
    toWallet,
    amount: amountOf(amount),
    status: "COMPLETED" as const,
    createdAt: sent(createdAt, "time"),
  };
});

const transferVoidForms = byForm(({ transferVoid }: VoidTransferResponse) => {
  const { transferId, externalId, voidedAt } = sent(transferVoid, "receipt");
  return {
    transferId,
    externalTransferId: externalId,
    status: "VOIDED" as const,
    voidedAt: sent(voidedAt, "time"),
  };
});

export const renderTransaction = (response: CreateTransactionResponse) =>
  transactionForms(response.answerForm, response);
export const renderConfirmed = (response: VoidTransactionResponse) => confirmedForms(response.answerForm, response);
export const renderVoided = (response: VoidTransactionResponse) => voidedForms(response.answerForm, response);
export const renderTransfer = (response: CreateTransferResponse) => transferForms(response.answerForm, response);
export const renderTransferVoid = (response: VoidTransferResponse) => transferVoidForms(response.answerForm, response);

/** The wire's value of a wallet's status. */
export const walletStatuses = {
  ACTIVE: WalletStatus.ACTIVE,
  FROZEN: WalletStatus.FROZEN,
  CLOSED: WalletStatus.CLOSED,
} as const;
