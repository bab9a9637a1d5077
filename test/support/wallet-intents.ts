import {
  renderConfirmed,
  renderTransaction,
  renderTransfer,
  renderTransferVoid,
  renderVoided,
  toOpenIntent,
  toTransactionIntent,
  toTransferIntent,
} from "../../gateway/codec/wallet-codec";
import {
  type CreateTransactionResponse,
  type CreateTransferResponse,
  type OpenWalletIntent,
  type TransferIntent,
  type VoidTransactionResponse,
  type VoidTransferResponse,
  type WalletTransactionIntent,
  WalletTransactionStatus,
} from "../../proto/gen/corridor/wallet/v1/wallet_service";
import { parseJsonObject } from "../../services/shared/kernel/json";
import { parseDecimal } from "../../services/shared/kernel/money";

/** The wallet service's answers to calls that move money. */
type Receipt = CreateTransactionResponse | VoidTransactionResponse | CreateTransferResponse | VoidTransferResponse;

/** Reads a body of the REST API, given as an object or with its own digits. Unreadable members are left out. */
function draftOf(body: object | string): Record<string, never> {
  const { value, numbers } = parseJsonObject(typeof body === "string" ? body : JSON.stringify(body));
  const amount = typeof value["amount"] === "number" ? parseDecimal(numbers.get("amount") ?? "") : undefined;
  const types: Readonly<Record<string, string>> = { hold: "boolean", additionalInfo: "object" };
  const kept = Object.entries(value).filter(([name, field]) => typeof field === (types[name] ?? "string"));
  return { ...Object.fromEntries(kept), amount } as unknown as Record<string, never>;
}

export const openIntentOf = (body: object | string): OpenWalletIntent => toOpenIntent(draftOf(body));
export const transactionIntentOf = (body: object | string): WalletTransactionIntent =>
  toTransactionIntent(draftOf(body));
export const transferIntentOf = (body: object | string): TransferIntent => toTransferIntent(draftOf(body));

/** A receipt as the caller of the REST API reads it. */
export function textOf(receipt: Receipt): string {
  if ("transaction" in receipt) return JSON.stringify(renderTransaction(receipt));
  if ("holdEnd" in receipt) {
    const isConfirmed = receipt.holdEnd?.status === WalletTransactionStatus.COMPLETED;
    return JSON.stringify(isConfirmed ? renderConfirmed(receipt) : renderVoided(receipt));
  }
  return JSON.stringify("transfer" in receipt ? renderTransfer(receipt) : renderTransferVoid(receipt));
}
