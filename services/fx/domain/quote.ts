import { plusMs } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Rate } from "../../shared/kernel/money";
import type { Reading } from "./market";
import type { PaymentMethod } from "./pricing";
import type { QuoteRequest } from "./route";

/** One currency of a quote against the US dollar, with what each source said of it. */
export interface QuoteLeg {
  currency: string;
  perUsd: string;
  readings: readonly Reading[];
}

/** Where the mid-market rate of a quote came from, so that it can be explained later. */
export interface QuoteBasis {
  rateDate: string;
  /** Names of the sources, or of the installed package, with spaces between them. */
  rateSource: string;
  /** Of when the rate is, or when it was read where its source tells the day alone. */
  rateReadAt: Date;
  /** The round of reading; undefined for the installed package and for equal currencies. */
  rateSnapshot: string | undefined;
  /** None for the installed package. */
  legs: readonly QuoteLeg[];
}

/** A rate that is promised to one tenant until it expires, for at most one payment. It never changes. */
export interface Quote extends QuoteBasis {
  id: string;
  tenant: string;
  /** The agent that asked; undefined when the tenant asked by itself. */
  agentId: string | undefined;
  sourceCurrency: string;
  destinationCurrency: string;
  paymentMethod: PaymentMethod;
  /** The country that it was asked for; undefined when it named none. */
  destinationCountry: string | undefined;
  rate: Rate;
  /** What the rate was made of: the mid-market rate of the table of that day, less the spread. */
  midRate: Rate;
  spreadBps: number;
  createdAt: Date;
  /** The quote can be used before this instant, not at it. */
  expiresAt: Date;
}

export const isExpired = ({ expiresAt }: Pick<Quote, "expiresAt">, at: Date): boolean => expiresAt <= at;

const daysMs = 24 * 60 * 60 * 1_000;

/** When a quote may be forgotten: 30 days after it cannot be used any more. A payment keeps what it was priced by. */
export const purgeTime = (expiresAt: Date): Date => plusMs(expiresAt, 30 * daysMs);

/**
 * Refuses a quote that was not made for this payment. The answer is the same for an unknown one and for another tenant's.
 * What a tenant asks for itself serves its agents too; what an agent asks serves that agent alone.
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
