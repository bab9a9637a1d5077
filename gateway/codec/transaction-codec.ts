import type { AgentLimit, Transaction, TransactionMove } from "../../proto/gen/corridor/payment/v1/payment_service";
import { type ExactNumber, exactNumber } from "../../services/shared/kernel/exact-number";
import { formatMoney, money } from "../../services/shared/kernel/money";
import { limitWindows } from "../../services/shared/kernel/refusal-details";
import { windowCodec } from "../../services/shared/rpc/refusal-facts";
import type { Answered } from "../contract/infer";
import * as contracts from "../contract/transactions";
import { amountJson } from "../render-amount";
import { renderReason } from "../render-reason";
import { knownWord } from "./known-word";

export function renderTransaction(transaction: Transaction | undefined): Answered<typeof contracts.transaction> {
  if (transaction?.createdAt === undefined || transaction.updatedAt === undefined) {
    throw new Error("the payment service sent no transaction");
  }
  const { transactionId, externalTransactionId, externalPaymentId, paymentType, status, metadata } = transaction;
  return {
    transactionId,
    externalTransactionId: externalTransactionId ?? null,
    externalPaymentId,
    paymentType: knownWord(contracts.paymentTypes, paymentType),
    status: knownWord(contracts.transactionStates, status),
    complianceStatus: transaction.complianceStatus,
    payoutStatus: transaction.payoutStatus ?? null,
    paymentStatus: transaction.paymentStatus,
    amount: amountJson(transaction.amount),
    recipientAmount: transaction.recipientAmount === undefined ? null : amountJson(transaction.recipientAmount),
    fxId: transaction.quoteId ?? null,
    redirectAcsUrl: transaction.redirectAcsUrl,
    ...renderReason(transaction.reason),
    metadata,
    createdAt: transaction.createdAt,
    updatedAt: transaction.updatedAt,
  };
}

export const renderMove = ({ oldStatus, newStatus, occurredAt, messages, reason }: TransactionMove) => ({
  oldStatus: oldStatus ?? null,
  newStatus: knownWord(contracts.transactionStates, newStatus),
  occurredAt: occurredAt ?? null,
  messages,
  ...renderReason(reason),
});

export function renderLimit({ currency, window, limitMinor, usedMinor, resetsAt }: AgentLimit) {
  const left = limitMinor > usedMinor ? limitMinor - usedMinor : 0n;
  const total = (minor: bigint): ExactNumber => exactNumber(formatMoney(money(minor, currency)));
  return {
    currency,
    window: knownWord(limitWindows, windowCodec.decode(window) ?? ""),
    limit: total(limitMinor),
    used: total(usedMinor),
    left: total(left),
    resetsAt: resetsAt ?? null,
  };
}
