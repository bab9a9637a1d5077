import { plusMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Rate } from "../../shared/kernel/money";
import type { Reading } from "./market";
import type { PaymentMethod } from "./pricing";
import type { QuoteRequest } from "./route";

/** One currency of a quote against the US dollar, with each source's reading. */
export interface QuoteLeg {
  currency: string;
  perUsd: string;
  readings: readonly Reading[];
}

/** The origin of a quote's mid-market rate, kept to explain it later. */
export interface QuoteBasis {
  rateDate: string;
  /** Names of the sources, or of the installed package, separated by spaces. */
  rateSource: string;
  /** Instant of the rate, or of its reading when the source gives only a day. */
  rateReadAt: Date;
  /** Id of the reading round; undefined for the installed package and for equal currencies. */
  rateSnapshot: string | undefined;
  /** Empty for the installed package. */
  legs: readonly QuoteLeg[];
}

/** A rate promised to one tenant until it expires, for at most one payment. It never changes. */
export interface Quote extends QuoteBasis {
  id: string;
  tenant: string;
  /** The agent that asked; undefined when the tenant asked directly. */
  agentId: string | undefined;
  sourceCurrency: string;
  destinationCurrency: string;
  paymentMethod: PaymentMethod;
  /** The requested country; undefined when none was named. */
  destinationCountry: string | undefined;
  rate: Rate;
  /** The mid-market rate, before the spread. */
  midRate: Rate;
  spreadBps: number;
  createdAt: Date;
  /** The quote is usable before this instant, not at it. */
  expiresAt: Date;
}

export const isExpired = ({ expiresAt }: Pick<Quote, "expiresAt">, at: Date): boolean => expiresAt <= at;

const daysMs = 24 * 60 * 60 * 1_000;

/** When a quote may be deleted: 30 days after it expires. A payment keeps its own copy of the price. */
export const purgeTime = (expiresAt: Date): Date => plusMs(expiresAt, 30 * daysMs);

/**
 * Refuses a quote that was not made for this payment, with the same error for an unknown quote and for another tenant's. A
 * tenant's own quote serves its agents too; an agent's quote serves only that agent.
 */
export function requireFit(quote: Quote | undefined, payment: QuoteRequest, at: Date): asserts quote is Quote {
  if (quote === undefined || quote.tenant !== payment.tenant) {
    throw new DomainError("QUOTE_UNUSABLE", "the quote is unknown or already used");
  }
  const violations = [
    ...misfit(quote.agentId ?? payment.agentId, payment.agentId, "fxId", "was quoted for another agent"),
    ...misfit(
      quote.sourceCurrency,
      payment.sourceCurrency,
      "amount.currency",
      "differs from the quote's source currency",
    ),
    ...misfit(
      quote.destinationCurrency,
      payment.destinationCurrency,
      "recipientAmount.currency",
      "differs from the quote's destination currency",
    ),
    ...misfit(quote.paymentMethod, payment.paymentMethod, "fxId", `was quoted for ${quote.paymentMethod}`),
    ...misfit(
      quote.destinationCountry ?? payment.destinationCountry,
      payment.destinationCountry,
      "fxId",
      "was quoted for another country",
    ),
  ];
  const [first] = violations;
  if (first !== undefined) {
    throw new DomainError("QUOTE_MISMATCH", `${first.field} ${first.message}`, { violations });
  }
  if (isExpired(quote, at)) throw new DomainError("QUOTE_EXPIRED", "the quote has expired");
}

const misfit = <T>(quoted: T, paid: T, field: string, message: string): { field: string; message: string }[] =>
  quoted === paid ? [] : [{ field, message }];
