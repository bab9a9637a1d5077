import type { Call } from "../call.ts";
import type { Api, TransactionMetadata, TransactionRequest } from "../gen/api.ts";
import type { CallOptions } from "../options.ts";
import { listOf } from "./list.ts";

/** Payments as agents see them. */
export const makeTransactions = (call: Call) => ({
  create: (body: TransactionRequest, options?: CallOptions) => call("POST /fx/transactions", { body }, options),
  get: (id: string, options?: CallOptions) => call("GET /fx/transactions/{id}", { params: { id } }, options),
  list: (query: Api["GET /fx/transactions"]["query"] = {}, options?: CallOptions) =>
    listOf(call, "GET /fx/transactions", "items", { query }, options),
  history: (id: string, options?: CallOptions) =>
    call("GET /fx/transactions/{id}/history", { params: { id } }, options),
  /** Stops a transaction before its payout is released. */
  cancel: (id: string, options?: CallOptions) => call("POST /fx/transactions/{id}/cancel", { params: { id } }, options),
  note: (id: string, body: TransactionMetadata, options?: CallOptions) =>
    call("PUT /fx/transactions/{id}/metadata", { params: { id }, body }, options),
  limits: (options?: CallOptions) => call("GET /fx/transactions/limits", {}, options),
});

/** Quotes with fees, and the accounts that agents store for their participants. */
export const makeAccounts = (call: Call) => ({
  quote: (body: Api["POST /payout/quotes"]["body"], options?: CallOptions) =>
    call("POST /payout/quotes", { body }, options),
  addFunding: (
    id: string,
    body: Api["POST /payout/participants/{id}/fundingAccounts"]["body"],
    options?: CallOptions,
  ) => call("POST /payout/participants/{id}/fundingAccounts", { params: { id }, body }, options),
  funding: (id: string, options?: CallOptions) =>
    call("GET /payout/participants/{id}/fundingAccounts", { params: { id } }, options),
  addRecipient: (
    id: string,
    body: Api["POST /payout/participants/{id}/recipientAccounts/gateway"]["body"],
    options?: CallOptions,
  ) => call("POST /payout/participants/{id}/recipientAccounts/gateway", { params: { id }, body }, options),
  recipients: (id: string, options?: CallOptions) =>
    call("GET /payout/participants/{id}/recipientAccounts/gateway", { params: { id } }, options),
});

/** Partners of the tenant that act under keys of their own. */
export const makeAgents = (call: Call) => ({
  create: (body: Api["POST /organizations/{tenant}/agents"]["body"], options?: CallOptions) =>
    call("POST /organizations/{tenant}/agents", { body }, options),
  list: (query: Api["GET /organizations/{tenant}/agents"]["query"] = {}, options?: CallOptions) =>
    listOf(call, "GET /organizations/{tenant}/agents", "agents", { query }, options),
});
