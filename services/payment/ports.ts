import type { FieldViolation } from "../shared/errors";
import type { JsonObject } from "../shared/json";
import type { ClaimedQuote } from "./domain/conversion";
import type { Instruction } from "./domain/payment";
import type { RailReport } from "./domain/rail-report";

/** The fx service as payments need it. */
export interface Quotes {
  /** Binds a quote to a payment; repeatable by the same payment. Throws QUOTE_UNUSABLE or QUOTE_EXPIRED. */
  claim(tenant: string, quoteId: string, paymentId: string): Promise<ClaimedQuote>;
  /** A quote that a payment could claim now; binds nothing. Throws QUOTE_UNUSABLE or QUOTE_EXPIRED. */
  find(tenant: string, quoteId: string): Promise<ClaimedQuote>;
  /** Gives back what the payment claimed; gives back nothing that it did not claim. */
  release(tenant: string, quoteId: string, paymentId: string): Promise<void>;
}

/** The published schemas as payments need them. */
export interface Schemas {
  /** Every rule of the named schema that the body breaks. Throws COUNTRY_UNSUPPORTED when there is no such schema. */
  check(name: string, body: JsonObject): Promise<readonly FieldViolation[]>;
}

/**
 * What came of a call to a rail. `unknown` means that the call may or may not have been executed, and `absent` that the
 * rail, when asked, knew no such instruction.
 */
export type RailAnswer = { kind: "report"; report: RailReport } | { kind: "absent" } | { kind: "unknown" };

/**
 * A payout rail. Every call names our reference, which the rail executes at most once however often it is sent. `prepare`
 * reserves and moves nothing; `release` is the only call that cannot be taken back. No method throws for what the other
 * side does.
 */
export interface Rail {
  prepare(instruction: Instruction): Promise<RailAnswer>;
  release(reference: string): Promise<RailAnswer>;
  query(reference: string): Promise<RailAnswer>;
  /** Reads a callback whose signature verifies. Throws UNAUTHENTICATED or INVALID_ARGUMENT. */
  readCallback(signature: string, body: Buffer): RailReport;
}

/** The rails by name. */
export type Rails = ReadonlyMap<string, Rail>;
