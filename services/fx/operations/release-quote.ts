import type { QuoteStore } from "../store/quote-store";
import type { QuoteClaim } from "./claim-quote";

export interface ReleaseQuoteDeps {
  quotes: Pick<QuoteStore, "release">;
}

export type ReleaseQuote = (claim: QuoteClaim) => Promise<void>;

/** Undoes a claim. Changes nothing when the payment does not hold the quote, so it may be repeated. */
export const makeReleaseQuote =
  ({ quotes }: ReleaseQuoteDeps): ReleaseQuote =>
  (claim) =>
    quotes.release(claim);
