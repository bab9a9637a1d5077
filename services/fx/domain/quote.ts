import { plusMs } from "../../shared/clock";
import { DomainError } from "../../shared/errors";
import type { Rate } from "../../shared/money";
import type { PaymentMethod } from "./pricing";

/** A rate that is promised to one tenant until it expires, for at most one payment. */
export interface Quote {
  id: string;
  tenant: string;
  sourceCurrency: string;
  destinationCurrency: string;
  paymentMethod: PaymentMethod;
  rate: Rate;
  /** What the rate was made of: the mid-market rate of the table of that day, less the spread. */
  midRate: Rate;
  spreadBps: number;
  rateDate: string;
  createdAt: Date;
  /** The quote can be claimed before this instant, not at it. */
  expiresAt: Date;
  /** The payment that holds the quote. */
  paymentId: string | undefined;
}

export type QuoteUse = "OPEN" | "USED" | "EXPIRED";

/** What has become of a quote. One that a payment holds stays used, also after it expired. */
export function useOf({ paymentId, expiresAt }: Quote, at: Date): QuoteUse {
  if (paymentId !== undefined) return "USED";
  return expiresAt <= at ? "EXPIRED" : "OPEN";
}

const daysMs = 24 * 60 * 60 * 1_000;

/** When an unclaimed quote may be forgotten: 30 days after it cannot be claimed any more. */
export const purgeTime = (expiresAt: Date): Date => plusMs(expiresAt, 30 * daysMs);

/** Why a payment could not get a quote. Says the same of an unknown one, another tenant's and one that is taken. */
export function claimRefusal(quote: Quote | undefined, paymentId: string, at: Date): DomainError {
  if (quote === undefined || (quote.paymentId !== undefined && quote.paymentId !== paymentId)) {
    return new DomainError("QUOTE_UNUSABLE", "the quote is unknown or already used");
  }
  if (quote.paymentId === undefined && quote.expiresAt <= at)
    return new DomainError("QUOTE_EXPIRED", "the quote has expired");
  return new DomainError("VERSION_CONFLICT", "the quote was given back while it was claimed");
}
