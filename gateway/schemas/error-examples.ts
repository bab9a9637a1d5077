import type { ErrorReason } from "../../services/shared/kernel/errors";
import { oauthError, publicErrors } from "../render-error";

/** Texts of refusals, for the examples of the document. */
const messages: Readonly<Record<ErrorReason, string>> = {
  INVALID_ARGUMENT: "amount.total is required",
  NO_ROUTE: "no route by this payment method to VEN",
  PAYMENT_METHOD_UNKNOWN: "paymentMethod is not one of the accepted values",
  COUNTRY_UNSUPPORTED: "no schema of XXX",
  PAYMENT_NOT_FOUND: "no payment order-1001",
  QUOTE_EXPIRED: "the quote has expired",
  QUOTE_UNUSABLE: "another payment has used the quote",
  QUOTE_MISMATCH: "the quote is for another amount",
  QUOTE_NOT_FOUND: "no such quote",
  STATE_CONFLICT: "the payment is CAPTURED and cannot be voided",
  FUNDS_TOO_LOW: "the prefunded balance is too low",
  REQUEST_RUNNING: "the first request with this id is still running",
  IDEMPOTENCY_CONFLICT: "the id was used for another request; amount.total differs",
  UNAUTHENTICATED: "the credential is missing, wrong or expired",
  AGENT_REFUSED: "the agent is not approved",
  SCOPE_MISSING: "the credential lacks the scope payments",
  ROLE_MISSING: "no role of the caller allows this",
  SECOND_FACTOR_MISSING: "log in again to do this",
  CROSS_SITE: "the request comes from another site",
  ADDRESS_REFUSED: "the address is not on the tenant's list",
  RATE_LIMITED: "too many requests; try again in 2 s",
  AGENT_NOT_FOUND: "no such agent",
  AGENT_EXISTS: "an agent with this e-mail address or externalId exists",
  RECORD_NOT_FOUND: "no such record",
  RECORD_CONFLICT: "the record has been decided already",
  WEBHOOK_NOT_FOUND: "no such subscription or delivery",
  BANK_NOT_FOUND: "no bank with this code",
  WALLET_NOT_FOUND: "no such wallet, transaction or transfer",
  INSUFFICIENT_FUNDS: "the available balance is too low",
  CURRENCY_MISMATCH: "both wallets must have the same asset",
  WALLET_INACTIVE: "the wallet is FROZEN",
  TRANSACTION_NOT_HELD: "the transaction is COMPLETED and not held",
  WALLET_NOT_EMPTY: "the wallet is not empty",
  TRANSFER_IRREVERSIBLE: "the transfer is VOIDED and cannot be voided",
  TRANSACTION_NOT_FOUND: "no such transaction",
  LIMIT_EXCEEDED: "the payment exceeds the agent's daily limit",
  PARTICIPANT_NOT_FOUND: "no such person or company",
  SESSION_NOT_FOUND: "no such session or verification",
  DOCUMENT_NOT_FOUND: "no such document",
  PRECONDITION_FAILED: "the person has changed since that version",
  ROUTE_NOT_FOUND: "no such route",
  METHOD_NOT_ALLOWED: "the route does not take this method",
  BODY_TOO_LARGE: "the body is larger than allowed",
  MEDIA_TYPE_UNSUPPORTED: "the body must be application/json",
  OAUTH_INVALID_REQUEST: "grant_type is given twice",
  OAUTH_INVALID_CLIENT: "client_id or client_secret is wrong",
  OAUTH_INVALID_SCOPE: "the client does not have the scope banks",
  OAUTH_UNSUPPORTED_GRANT_TYPE: "grant_type must be client_credentials",
  VERSION_CONFLICT: "the record is changing; try again",
  UNAVAILABLE: "a part of the platform does not answer; try again",
  INTERNAL: "internal error",
};

const requestId = "0c6f3a52-3f8e-4d1c-9a67-2f1b8e5d7c90";
const field = { field: "amount.total", message: "is required" };

function errorExample(reason: ErrorReason): object {
  const { code } = publicErrors[reason];
  const errors = reason === "INVALID_ARGUMENT" ? { errors: [field] } : {};
  return { summary: code, value: { code, message: messages[reason], requestId, ...errors } };
}

function oauthExample(reason: ErrorReason): object {
  const { error } = oauthError(reason);
  return { summary: error, value: { error, error_description: messages[reason] } };
}

const reasons = Object.keys(messages) as ErrorReason[];

/** Examples of every refusal, by its code. If reasons share a code, the last one is shown. */
export const errorExamples: Readonly<Record<string, object>> = Object.fromEntries([
  ...reasons.map((reason) => [publicErrors[reason].code, errorExample(reason)] as const),
  ...reasons.map((reason) => [oauthError(reason).error, oauthExample(reason)] as const),
]);
