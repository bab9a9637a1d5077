import type { ErrorDetails } from "./gen/api.ts";
import type { ErrorCode } from "./gen/facts.ts";

export type { ErrorCode } from "./gen/facts.ts";

/** A field that breaks a rule. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The platform refused: nothing was done, and `code` says why. */
export class CorridorError extends Error {
  override readonly name = "CorridorError";
  /** A code of the list, or one that a newer platform knows. */
  readonly code: ErrorCode | (string & {});
  readonly status: number;
  /** Identifies the request to the operators of the platform. */
  readonly requestId: string;
  /** Every field that is wrong, by its dotted path. */
  readonly errors: readonly FieldProblem[];
  /** Facts to act on. */
  readonly details: ErrorDetails;
  /** When to try again; undefined if the platform did not say. */
  readonly retryAfterMs: number | undefined;
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(refusal: Refusal) {
    super(`${refusal.code}: ${refusal.message}${fieldsOf(refusal.errors)}`);
    this.code = refusal.code;
    this.status = refusal.status;
    this.requestId = refusal.requestId;
    this.errors = refusal.errors;
    this.details = refusal.details;
    this.retryAfterMs = refusal.retryAfterMs;
    this.attempts = refusal.attempts;
  }
}

export interface Refusal {
  code: string;
  message: string;
  status: number;
  requestId: string;
  errors: readonly FieldProblem[];
  details: ErrorDetails;
  retryAfterMs: number | undefined;
  attempts: number;
}

const fieldsOf = (errors: readonly FieldProblem[]): string =>
  errors.length === 0 ? "" : ` (${errors.map(({ field, message }) => `${field} ${message}`).join("; ")})`;

/**
 * The outcome is unknown: the request was sent, and no answer arrived in time. It is not a refusal. Ask with `ask`, or send the same
 * content under the same `id` again: it is done once whatever happens.
 */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
  /** For example `POST /v2/payment`. */
  readonly operation: string;
  /** The id that the caller gave; undefined if the operation has none. */
  readonly id: string | undefined;
  /** The request that reports its outcome, for example `GET /v2/payment/order-1`; undefined if there is none. */
  readonly ask: string | undefined;
  readonly attempts: number;

  constructor(
    unknown: { operation: string; id: string | undefined; ask: string | undefined; attempts: number },
    cause: unknown,
  ) {
    const { operation, id, ask, attempts } = unknown;
    const advice = ask === undefined ? "look for it before doing it again" : `ask ${ask}`;
    super(`no answer to ${operation}${id === undefined ? "" : ` of ${id}`}: it may have been done; ${advice}`, {
      cause,
    });
    this.operation = operation;
    this.id = id;
    this.ask = ask;
    this.attempts = attempts;
  }
}

/** The platform was not reached, or did not answer a request that only reads: nothing was changed. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  readonly operation: string;
  readonly attempts: number;

  constructor(operation: string, attempts: number, cause: unknown) {
    super(`${operation} was not answered`, { cause });
    this.operation = operation;
    this.attempts = attempts;
  }
}

/** True for a refusal with one of the codes: `isCode(error, "PAY_410", "PAY_411")`. */
export const isCode = <Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is CorridorError & { readonly code: Code } =>
  error instanceof CorridorError && (codes as readonly string[]).includes(error.code);
