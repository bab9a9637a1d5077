import type { Clock } from "../../shared/clock";
import { claimRefusal, type Quote } from "../domain/quote";
import type { QuoteStore } from "../store/quote-store";

export interface ClaimQuoteDeps {
  quotes: Pick<QuoteStore, "claim" | "find">;
  clock: Clock;
}

/** Which payment of which tenant wants, or gives back, which quote. */
export interface QuoteClaim {
  tenant: string;
  quoteId: string;
  paymentId: string;
}

export type ClaimQuote = (claim: QuoteClaim) => Promise<Quote>;

/**
 * Binds a quote to a payment in one conditional write, so that of several payments one wins. The payment that holds the
 * quote gets it again at any time, also after it expired.
 */
export const makeClaimQuote =
  ({ quotes, clock }: ClaimQuoteDeps): ClaimQuote =>
  async (claim) => {
    const at = clock.now();
    const claimed = await quotes.claim(claim, at);
    if (claimed !== undefined) return claimed;
    const present = await quotes.find(claim.tenant, claim.quoteId);
    if (present?.paymentId === claim.paymentId) return present;
    throw claimRefusal(present, claim.paymentId, at);
  };
