import type { RefusalDetails } from "./refusal-details";

/**
 * Every refusal that this platform knows. The enum ErrorReason of proto/corridor/common/v1/error_reason.proto is the same
 * list; a test compares them.
 */
export const errorReasons = [
  "INVALID_ARGUMENT",
  "NO_ROUTE",
  "PAYMENT_METHOD_UNKNOWN",
  "COUNTRY_UNSUPPORTED",
  "PAYMENT_NOT_FOUND",
  "QUOTE_EXPIRED",
  "QUOTE_UNUSABLE",
  "QUOTE_MISMATCH",
  "QUOTE_NOT_FOUND",
  "STATE_CONFLICT",
  "FUNDS_TOO_LOW",
  "REQUEST_RUNNING",
  "IDEMPOTENCY_CONFLICT",
  "UNAUTHENTICATED",
  "AGENT_REFUSED",
  "SCOPE_MISSING",
  "ROLE_MISSING",
  "SECOND_FACTOR_MISSING",
  "CROSS_SITE",
  "ADDRESS_REFUSED",
  "RATE_LIMITED",
  "AGENT_NOT_FOUND",
  "AGENT_EXISTS",
  "RECORD_NOT_FOUND",
  "RECORD_CONFLICT",
  "WEBHOOK_NOT_FOUND",
  "BANK_NOT_FOUND",
  "WALLET_NOT_FOUND",
  "INSUFFICIENT_FUNDS",
  "CURRENCY_MISMATCH",
  "WALLET_INACTIVE",
  "TRANSACTION_NOT_HELD",
  "WALLET_NOT_EMPTY",
  "TRANSFER_IRREVERSIBLE",
  "TRANSACTION_NOT_FOUND",
  "LIMIT_EXCEEDED",
  "PARTICIPANT_NOT_FOUND",
  "PRECONDITION_FAILED",
  "SESSION_NOT_FOUND",
  "DOCUMENT_NOT_FOUND",
  "ROUTE_NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "BODY_TOO_LARGE",
  "MEDIA_TYPE_UNSUPPORTED",
  "OAUTH_INVALID_REQUEST",
  "OAUTH_INVALID_CLIENT",
  "OAUTH_INVALID_SCOPE",
  "OAUTH_UNSUPPORTED_GRANT_TYPE",
  "VERSION_CONFLICT",
  "UNAVAILABLE",
  "INTERNAL",
] as const;

export type ErrorReason = (typeof errorReasons)[number];

/** One failed field: its dotted path from the root (`recipient.documents.0.type`) and the rule it breaks, never its value. */
export interface FieldViolation {
  field: string;
  message: string;
}

interface ErrorFacts {
  violations?: readonly FieldViolation[];
  details?: RefusalDetails;
  cause?: unknown;
}

/** A refusal that the caller may see. Any other error is a bug and goes to the log alone. */
export class DomainError extends Error {
  readonly reason: ErrorReason;
  readonly violations: readonly FieldViolation[];
  readonly details: RefusalDetails;

  constructor(reason: ErrorReason, message: string, facts: ErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.name = "DomainError";
    this.reason = reason;
    this.violations = facts.violations ?? [];
    this.details = facts.details ?? {};
  }
}

/** The refusal of malformed input, with every failed field. */
export function invalid(violations: readonly FieldViolation[]): DomainError {
  const [first, ...others] = violations;
  const message = first === undefined ? "the request is not valid" : `${first.field} ${first.message}`;
  return new DomainError("INVALID_ARGUMENT", others.length === 0 ? message : `${message} (and ${others.length} more)`, {
    violations,
  });
}

/** True for a refusal with one of the given reasons. */
export function hasReason(error: unknown, ...reasons: readonly ErrorReason[]): error is DomainError {
  return error instanceof DomainError && reasons.includes(error.reason);
}
