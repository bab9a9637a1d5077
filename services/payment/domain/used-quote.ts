import { DomainError, hasReason } from "../../shared/kernel/errors";

/** True when a payment that is refused for this reason is refused for its quote instead if another payment has used the quote. */
export const yieldsToUsedQuote = (refusal: unknown): boolean =>
  hasReason(refusal, "QUOTE_EXPIRED", "QUOTE_MISMATCH", "NO_ROUTE", "LIMIT_EXCEEDED", "FUNDS_TOO_LOW");

/** Returns the refusal of a quote that another payment has used. */
export const quoteUsed = (): DomainError => new DomainError("QUOTE_UNUSABLE", "the quote is unknown or already used");
