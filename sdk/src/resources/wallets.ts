import type { Call } from "../call.ts";
import type { Api } from "../gen/api.ts";
import type { CallOptions } from "../options.ts";
import { listOf } from "./list.ts";

/** Balances on the ledger, holds and transfers. */
export const makeWallets = (call: Call) => ({
  create: (body: Api["POST /wallets"]["body"], options?: CallOptions) => call("POST /wallets", { body }, options),
  get: (walletId: string, options?: CallOptions) => call("GET /wallets/{walletId}", { params: { walletId } }, options),
  list: (query: Api["GET /wallets"]["query"] = {}, options?: CallOptions) =>
    listOf(call, "GET /wallets", "wallets", { query }, options),
  balance: (walletId: string, options?: CallOptions) =>
    call("GET /wallets/{walletId}/balance", { params: { walletId } }, options),
  statement: (walletId: string, query: Api["GET /wallets/{walletId}/statement"]["query"] = {}, options?: CallOptions) =>
    call("GET /wallets/{walletId}/statement", { params: { walletId }, query }, options),
  /** Credits or debits a wallet, once by its `externalId`; or holds the amount until it is confirmed or released. */
  transact: (body: Api["POST /wallets/transaction"]["body"], options?: CallOptions) =>
    call("POST /wallets/transaction", { body }, options),
  confirm: (transactionId: string, options?: CallOptions) =>
    call("POST /wallets/transaction/{transactionId}/confirm", { params: { transactionId } }, options),
  void: (transactionId: string, options?: CallOptions) =>
    call("POST /wallets/transaction/{transactionId}/void", { params: { transactionId } }, options),
  transaction: (transactionId: string, options?: CallOptions) =>
    call("GET /wallet-transactions/{transactionId}", { params: { transactionId } }, options),
  transactions: (query: Api["GET /wallets/transactions"]["query"] = {}, options?: CallOptions) =>
    listOf(call, "GET /wallets/transactions", "transactions", { query }, options),
  /** Moves money between two wallets, once by its `externalTransferId`. */
  transfer: (body: Api["POST /wallets/transfer"]["body"], options?: CallOptions) =>
    call("POST /wallets/transfer", { body }, options),
  getTransfer: (externalTransferId: string, options?: CallOptions) =>
    call("GET /wallet-transfers/{externalTransferId}", { params: { externalTransferId } }, options),
  voidTransfer: (externalTransferId: string, options?: CallOptions) =>
    call("POST /wallets/transfer/{externalTransferId}/void", { params: { externalTransferId } }, options),
});
