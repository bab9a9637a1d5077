import { exactNumber } from "../../shared/exact-number";
import { formatMinor } from "./asset";

/** JSON text with the amount as its own digits: a JS number could not hold every amount. */
const withAmount = (minor: bigint, asset: string, fields: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ ...fields, amount: exactNumber(formatMinor(minor, asset)) });

interface TransactionFacts {
  id: string;
  walletId: string;
  externalId: string;
  minor: bigint;
  asset: string;
  direction: string;
  status: "COMPLETED" | "HELD";
  description: string | undefined;
  expiresAt: Date | undefined;
}

/** Answer of `POST /wallets/transaction`. */
export const transactionAnswer = (facts: TransactionFacts, at: Date): string =>
  withAmount(facts.minor, facts.asset, {
    transactionId: facts.id,
    walletId: facts.walletId,
    externalId: facts.externalId,
    amount: 0,
    paymentType: facts.direction,
    status: facts.status,
    description: facts.description ?? null,
    createdAt: at,
    ...(facts.expiresAt === undefined ? {} : { expiresAt: facts.expiresAt }),
  });

interface HoldEndFacts {
  transactionId: string;
  walletId: string;
  minor: bigint;
  asset: string;
}

/** Answer of `POST /wallets/transaction/{transactionId}/confirm` or `…/void`. */
export function holdEndAnswer({ minor, asset, ...facts }: HoldEndFacts, status: "COMPLETED" | "VOIDED", at: Date) {
  const time = status === "COMPLETED" ? { confirmedAt: at } : { voidedAt: at };
  return withAmount(minor, asset, { ...facts, status, amount: 0, ...time });
}

interface TransferFacts {
  id: string;
  externalId: string;
  from: string;
  to: string;
  minor: bigint;
  asset: string;
}

/** Answer of `POST /wallets/transfer`. */
export const transferAnswer = ({ id, externalId, from, to, minor, asset }: TransferFacts, at: Date): string =>
  withAmount(minor, asset, {
    transferId: id,
    externalTransferId: externalId,
    fromWallet: from,
    toWallet: to,
    amount: 0,
    status: "COMPLETED",
    createdAt: at,
  });

/** Answer of `POST /wallets/transfer/{externalTransferId}/void`. */
export const transferVoidAnswer = (transferId: string, externalId: string, at: Date): string =>
  JSON.stringify({ transferId, externalTransferId: externalId, status: "VOIDED", voidedAt: at });
