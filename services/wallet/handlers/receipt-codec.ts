import {
  type CreateTransactionResponse,
  type CreateTransferResponse,
  type VoidTransactionResponse,
  type VoidTransferResponse,
  WalletTransactionStatus,
} from "../../../proto/gen/corridor/wallet/v1/wallet_service";
import { enumCodec } from "../../shared/kernel/enum-codec";
import type { Outcome } from "../domain/decide";
import type { Entry } from "../domain/entry";
import { holdEndReceipt, transactionReceipt, transferReceipt, transferVoidReceipt } from "../domain/receipt";
import type { Submitted } from "../operations/submit-request";
import { directionCodec, encodeAmount } from "./wallet-codec";

const statusCodec = enumCodec<WalletTransactionStatus, "COMPLETED" | "HELD" | "VOIDED">({
  [WalletTransactionStatus.UNSPECIFIED]: undefined,
  [WalletTransactionStatus.COMPLETED]: "COMPLETED",
  [WalletTransactionStatus.HELD]: "HELD",
  [WalletTransactionStatus.VOIDED]: "VOIDED",
  [WalletTransactionStatus.UNRECOGNIZED]: undefined,
});

/** The form that the first caller requested. */
function formOf({ id, receipt }: Entry): number {
  if (receipt === undefined) throw new Error(`the entry ${id} has no receipt`);
  return receipt.form;
}

export function encodeTransaction({ entry, replayed, description }: Submitted): CreateTransactionResponse {
  const { id, walletId, externalId, amount, direction, status, at, expiresAt } = transactionReceipt(entry);
  const transaction = {
    transactionId: id,
    walletId,
    externalId,
    amount: encodeAmount(amount),
    direction: directionCodec.encode(direction),
    status: statusCodec.encode(status),
    description,
    createdAt: at,
    expiresAt,
  };
  return { replayed, transaction, answerForm: formOf(entry) };
}

export function encodeHoldEnd({ entry, replayed }: Outcome): VoidTransactionResponse {
  const { transactionId, walletId, amount, status, at } = holdEndReceipt(entry);
  const holdEnd = {
    transactionId,
    walletId,
    status: statusCodec.encode(status),
    amount: encodeAmount(amount),
    endedAt: at,
  };
  return { replayed, holdEnd, answerForm: formOf(entry) };
}

export function encodeTransfer({ entry, replayed }: Outcome): CreateTransferResponse {
  const { id, externalId, from, to, amount, at } = transferReceipt(entry);
  const wallets = { fromWallet: from, toWallet: to };
  const transfer = { transferId: id, externalId, ...wallets, amount: encodeAmount(amount), createdAt: at };
  return { replayed, transfer, answerForm: formOf(entry) };
}

export function encodeTransferVoid({ entry, replayed }: Outcome): VoidTransferResponse {
  const { transferId, externalId, at } = transferVoidReceipt(entry);
  return { replayed, transferVoid: { transferId, externalId, voidedAt: at }, answerForm: formOf(entry) };
}
