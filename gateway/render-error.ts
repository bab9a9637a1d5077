import type { DomainError, ErrorReason } from "../services/shared/kernel/errors";
import { renderDetails } from "./render-details";
import { type Answer, jsonAnswer, type Scheme } from "./route";

/** The part of a refusal that callers see. The OAUTH reasons have the names of RFC 6749 section 5.2. */
export interface PublicError {
  code: string;
  status: number;
}

export const publicErrors: Record<ErrorReason, PublicError> = {
  INVALID_ARGUMENT: { code: "VE_001", status: 400 },
  NO_ROUTE: { code: "PAY_001", status: 400 },
  PAYMENT_METHOD_UNKNOWN: { code: "PAY_005", status: 400 },
  COUNTRY_UNSUPPORTED: { code: "PAY_271", status: 400 },
  PAYMENT_NOT_FOUND: { code: "PAY_404", status: 404 },
  QUOTE_EXPIRED: { code: "PAY_410", status: 400 },
  QUOTE_UNUSABLE: { code: "PAY_411", status: 400 },
  QUOTE_MISMATCH: { code: "PAY_412", status: 400 },
  QUOTE_NOT_FOUND: { code: "FX_404", status: 404 },
  STATE_CONFLICT: { code: "PAY_409", status: 409 },
  FUNDS_TOO_LOW: { code: "PAY_413", status: 422 },
  REQUEST_RUNNING: { code: "IDM_001", status: 409 },
  IDEMPOTENCY_CONFLICT: { code: "IDM_002", status: 422 },
  UNAUTHENTICATED: { code: "AUTH_001", status: 401 },
  AGENT_REFUSED: { code: "AUTH_002", status: 403 },
  SCOPE_MISSING: { code: "AUTH_004", status: 403 },
  ROLE_MISSING: { code: "AUTH_005", status: 403 },
  SECOND_FACTOR_MISSING: { code: "AUTH_006", status: 403 },
  CROSS_SITE: { code: "AUTH_007", status: 403 },
  ADDRESS_REFUSED: { code: "AUTH_003", status: 403 },
  RATE_LIMITED: { code: "RL_001", status: 429 },
  AGENT_NOT_FOUND: { code: "AGT_404", status: 404 },
  AGENT_EXISTS: { code: "AGT_409", status: 409 },
  RECORD_NOT_FOUND: { code: "OPS_404", status: 404 },
  RECORD_CONFLICT: { code: "OPS_409", status: 409 },
  WEBHOOK_NOT_FOUND: { code: "WH_404", status: 404 },
  BANK_NOT_FOUND: { code: "BNK_404", status: 404 },
  WALLET_NOT_FOUND: { code: "WAL_404", status: 404 },
  INSUFFICIENT_FUNDS: { code: "WAL_001", status: 422 },
  CURRENCY_MISMATCH: { code: "WAL_002", status: 422 },
  WALLET_INACTIVE: { code: "WAL_003", status: 409 },
  TRANSACTION_NOT_HELD: { code: "WAL_004", status: 409 },
  WALLET_NOT_EMPTY: { code: "WAL_005", status: 409 },
  TRANSFER_IRREVERSIBLE: { code: "WAL_006", status: 409 },
  TRANSACTION_NOT_FOUND: { code: "TX_404", status: 404 },
  LIMIT_EXCEEDED: { code: "TX_001", status: 422 },
  PARTICIPANT_NOT_FOUND: { code: "PER_404", status: 404 },
  SESSION_NOT_FOUND: { code: "KYC_404", status: 404 },
  DOCUMENT_NOT_FOUND: { code: "DOC_404", status: 404 },
  PRECONDITION_FAILED: { code: "PER_412", status: 412 },
  ROUTE_NOT_FOUND: { code: "REQ_404", status: 404 },
  METHOD_NOT_ALLOWED: { code: "REQ_405", status: 405 },
  BODY_TOO_LARGE: { code: "REQ_413", status: 413 },
  MEDIA_TYPE_UNSUPPORTED: { code: "REQ_415", status: 415 },
  OAUTH_INVALID_REQUEST: { code: "invalid_request", status: 400 },
  OAUTH_INVALID_CLIENT: { code: "invalid_client", status: 401 },
  OAUTH_INVALID_SCOPE: { code: "invalid_scope", status: 400 },
  OAUTH_UNSUPPORTED_GRANT_TYPE: { code: "unsupported_grant_type", status: 400 },
  VERSION_CONFLICT: { code: "SYS_503", status: 503 },
  UNAVAILABLE: { code: "SYS_503", status: 503 },
  INTERNAL: { code: "SYS_500", status: 500 },
};

const keyChallenge = 'ApiKey realm="corridor", header="x-api-key"';

/** The challenge that says how to authenticate, for the 401 of a route of each scheme (RFC 9110 section 11.6.1). */
const challenges: Record<Scheme, string> = {
  none: 'Signature realm="corridor", header="x-signature"',
  bearer: 'Bearer realm="corridor"',
  tenant: keyChallenge,
  agent: keyChallenge,
  person: 'Bearer realm="corridor people"',
  operator: 'Bearer realm="corridor operators"',
};

/** The beginning of a challenge that names a missing scope (RFC 6750 section 3). */
const scopeSchemes: Record<Scheme, string> = {
  none: "Bearer",
  bearer: "Bearer",
  tenant: `${keyChallenge},`,
  agent: `${keyChallenge},`,
  person: "Bearer",
  operator: "Bearer",
};

const retryAfterSeconds = "1";

/** The request that was refused. */
export interface RefusedRequest {
  requestId: string;
  scheme: Scheme;
  hasAuthorization: boolean;
}

/** The one place that makes error answers of the platform's own form. */
export function renderError(refusal: DomainError, request: RefusedRequest): Answer {
  const { code, status } = publicErrors[refusal.reason];
  const { violations, details } = refusal;
  const body = {
    code,
    message: status === 500 ? "internal error" : refusal.message,
    requestId: request.requestId,
    ...(violations.length === 0 ? {} : { errors: violations.map(({ field, message }) => ({ field, message })) }),
    ...(Object.keys(details).length === 0 ? {} : { details: renderDetails(details) }),
  };
  return withHeaders(jsonAnswer(body, status), refusalHeaders(refusal, request));
}

/** The same for the token endpoint, in the form of RFC 6749 section 5.2. */
export function renderOauthError(refusal: DomainError): Answer {
  const { error, status } = oauthError(refusal.reason);
  const description = status === 500 ? "internal error" : refusal.message;
  const answer = jsonAnswer({ error, error_description: description }, status);
  const headers: Record<string, string> = { pragma: "no-cache" };
  if (status === 401) headers["www-authenticate"] = 'Basic realm="corridor"';
  if (status === 503) headers["retry-after"] = retryAfterSeconds;
  if (status === 429) headers["retry-after"] = String(refusal.details["retryAfterSeconds"]);
  return withHeaders(answer, headers);
}

/** Names of errors at the token endpoint: those of RFC 6749 section 5.2, which has none for an outage, and of its section 4.1.2.1. */
export const oauthErrors = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
  "access_denied",
  "temporarily_unavailable",
  "server_error",
] as const;

type OauthError = (typeof oauthErrors)[number];

/** The error at the token endpoint. */
export function oauthError(reason: ErrorReason): { error: OauthError; status: number } {
  const { code, status } = publicErrors[reason];
  const own = oauthErrors.find((name) => name === code);
  if (own !== undefined) return { error: own, status };
  if (status === 503 || status === 429) return { error: "temporarily_unavailable", status };
  if (status === 403) return { error: "access_denied", status };
  return status === 500 ? { error: "server_error", status } : { error: "invalid_request", status: 400 };
}

function refusalHeaders({ reason, details }: DomainError, request: RefusedRequest): Record<string, string> {
  switch (reason) {
    case "UNAUTHENTICATED": {
      const isTokenWrong = request.scheme === "bearer" && request.hasAuthorization;
      return { "www-authenticate": challenges[request.scheme] + (isTokenWrong ? ', error="invalid_token"' : "") };
    }
    case "SCOPE_MISSING":
      return {
        "www-authenticate": `${scopeSchemes[request.scheme]} error="insufficient_scope", scope="${String(details["scope"])}"`,
      };
    case "METHOD_NOT_ALLOWED":
      return { allow: details.methods?.join(", ") ?? "" };
    case "RATE_LIMITED":
      return { "retry-after": String(details["retryAfterSeconds"]) };
    case "REQUEST_RUNNING":
    case "VERSION_CONFLICT":
    case "UNAVAILABLE":
      return { "retry-after": retryAfterSeconds };
    default:
      return {};
  }
}

const withHeaders = (answer: Answer, headers: Record<string, string>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});
