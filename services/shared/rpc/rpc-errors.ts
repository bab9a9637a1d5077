import { status } from "@grpc/grpc-js";
import { CallStatus, ErrorDetail, ErrorReason as WireReason } from "../../../proto/gen/corridor/common/v1/error_reason";
import { DomainError, type ErrorReason, errorReasons, type FieldViolation } from "../kernel/errors";
import { isOutage } from "../process/outages";
import { decodeFacts, encodeFacts, type RefusalFacts } from "./refusal-facts";
import type { Outcome } from "./rpc";

/** gRPC status of every refusal. */
const statusByReason: Record<ErrorReason, status> = {
  INVALID_ARGUMENT: status.INVALID_ARGUMENT,
  NO_ROUTE: status.FAILED_PRECONDITION,
  PAYMENT_METHOD_UNKNOWN: status.INVALID_ARGUMENT,
  COUNTRY_UNSUPPORTED: status.NOT_FOUND,
  PAYMENT_NOT_FOUND: status.NOT_FOUND,
  QUOTE_EXPIRED: status.FAILED_PRECONDITION,
  QUOTE_UNUSABLE: status.FAILED_PRECONDITION,
  QUOTE_MISMATCH: status.FAILED_PRECONDITION,
  QUOTE_NOT_FOUND: status.NOT_FOUND,
  STATE_CONFLICT: status.FAILED_PRECONDITION,
  FUNDS_TOO_LOW: status.FAILED_PRECONDITION,
  REQUEST_RUNNING: status.ABORTED,
  IDEMPOTENCY_CONFLICT: status.ALREADY_EXISTS,
  UNAUTHENTICATED: status.UNAUTHENTICATED,
  AGENT_REFUSED: status.PERMISSION_DENIED,
  SCOPE_MISSING: status.PERMISSION_DENIED,
  ROLE_MISSING: status.PERMISSION_DENIED,
  SECOND_FACTOR_MISSING: status.PERMISSION_DENIED,
  CROSS_SITE: status.PERMISSION_DENIED,
  ADDRESS_REFUSED: status.PERMISSION_DENIED,
  RATE_LIMITED: status.RESOURCE_EXHAUSTED,
  AGENT_NOT_FOUND: status.NOT_FOUND,
  AGENT_EXISTS: status.ALREADY_EXISTS,
  RECORD_NOT_FOUND: status.NOT_FOUND,
  RECORD_CONFLICT: status.FAILED_PRECONDITION,
  WEBHOOK_NOT_FOUND: status.NOT_FOUND,
  BANK_NOT_FOUND: status.NOT_FOUND,
  WALLET_NOT_FOUND: status.NOT_FOUND,
  INSUFFICIENT_FUNDS: status.FAILED_PRECONDITION,
  CURRENCY_MISMATCH: status.FAILED_PRECONDITION,
  WALLET_INACTIVE: status.FAILED_PRECONDITION,
  TRANSACTION_NOT_HELD: status.FAILED_PRECONDITION,
  WALLET_NOT_EMPTY: status.FAILED_PRECONDITION,
  TRANSFER_IRREVERSIBLE: status.FAILED_PRECONDITION,
  TRANSACTION_NOT_FOUND: status.NOT_FOUND,
  LIMIT_EXCEEDED: status.FAILED_PRECONDITION,
  PARTICIPANT_NOT_FOUND: status.NOT_FOUND,
  SESSION_NOT_FOUND: status.NOT_FOUND,
  DOCUMENT_NOT_FOUND: status.NOT_FOUND,
  PRECONDITION_FAILED: status.FAILED_PRECONDITION,
  ROUTE_NOT_FOUND: status.NOT_FOUND,
  METHOD_NOT_ALLOWED: status.UNIMPLEMENTED,
  BODY_TOO_LARGE: status.OUT_OF_RANGE,
  MEDIA_TYPE_UNSUPPORTED: status.INVALID_ARGUMENT,
  OAUTH_INVALID_REQUEST: status.INVALID_ARGUMENT,
  OAUTH_INVALID_CLIENT: status.UNAUTHENTICATED,
  OAUTH_INVALID_SCOPE: status.INVALID_ARGUMENT,
  OAUTH_UNSUPPORTED_GRANT_TYPE: status.INVALID_ARGUMENT,
  VERSION_CONFLICT: status.ABORTED,
  UNAVAILABLE: status.UNAVAILABLE,
  INTERNAL: status.INTERNAL,
};

/** What a caller may see of a failure: the refusal itself, UNAVAILABLE for an outage, INTERNAL for a bug. */
export function asRefusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isOutage(error)) return new DomainError("UNAVAILABLE", "a store does not answer", { cause: error });
  return new DomainError("INTERNAL", "internal error", { cause: error });
}

/** Peers refuse metadata above 8 KiB, and some hang on it, so texts from callers, such as field names, are truncated. */
const maxDetailBytes = 4_096;
const maxViolations = 100;

/**
 * Encodes a refusal as the outcome of a call. All of it travels in the encoded detail; the status message is a constant,
 * since a unary call percent-encodes it and callers may choose part of a refusal's text.
 */
export function toFailure(refusal: DomainError): Outcome {
  const facts = boundedFacts(encodeFacts(refusal.details));
  const encode = (violations: readonly FieldViolation[]): Uint8Array =>
    ErrorDetail.encode({
      reason: WireReason[refusal.reason],
      message: refusal.message.slice(0, 512),
      violations: violations.map(({ field, message }) => ({ field, message })),
      facts,
    }).finish();
  let kept = refusal.violations.slice(0, maxViolations);
  let detail = encode(kept);
  while (detail.length > maxDetailBytes && kept.length > 0) {
    kept = kept.slice(0, Math.floor(kept.length / 2));
    detail = encode(kept);
  }
  return { code: statusByReason[refusal.reason], message: refusal.reason, body: Buffer.from(detail) };
}

/** Leaves out facts that would take most of the room. */
function boundedFacts(facts: RefusalFacts): RefusalFacts {
  const alone = ErrorDetail.encode({ reason: WireReason.UNSPECIFIED, violations: [], message: "", facts }).finish();
  return alone.length > maxDetailBytes / 2 ? undefined : facts;
}

const typeUrl = "type.googleapis.com/corridor.common.v1.ErrorDetail";

/** Encodes a failure, whose body is its encoded detail, as the status details of a unary call. */
export const toStatusDetails = ({ code, message, body }: Outcome): Buffer =>
  Buffer.from(CallStatus.encode({ code, message, details: [{ typeUrl, value: body }] }).finish());

/** The encoded detail of a failed call; empty when the status has none of ours, for example one from a proxy. */
export function detailIn(statusDetails: Buffer): Buffer {
  try {
    const { details } = CallStatus.decode(statusDetails);
    return Buffer.from(details.find((detail) => detail.typeUrl === typeUrl)?.value ?? []);
  } catch {
    return Buffer.alloc(0);
  }
}

const notNow: ReadonlySet<status> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.RESOURCE_EXHAUSTED,
]);

/** Turns a failed call into a refusal. A peer that gives no reason is either away (UNAVAILABLE) or broken (INTERNAL). */
export function toRefusal(failure: Outcome): DomainError {
  if (failure.body.length === 0) {
    const reason = notNow.has(failure.code) ? "UNAVAILABLE" : "INTERNAL";
    return new DomainError(reason, reason === "UNAVAILABLE" ? "a service does not answer" : "internal error", {
      cause: new Error(`${status[failure.code]}: ${failure.message}`),
    });
  }
  const { reason, message, violations, facts } = ErrorDetail.decode(failure.body);
  const known = errorReasons.find((candidate) => WireReason[candidate] === reason) ?? "INTERNAL";
  return new DomainError(known, message, { violations, details: decodeFacts(facts) });
}
