import type { ClaimQuoteRequest, ClaimQuoteResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { ClaimQuote } from "../operations/claim-quote";
import { encodeQuote } from "./codec";

export const claimQuoteHandler =
  (claimQuote: ClaimQuote) =>
  async ({ tenant, quoteId, paymentId }: ClaimQuoteRequest): Promise<ClaimQuoteResponse> => ({
    quote: encodeQuote(await claimQuote({ tenant, quoteId, paymentId })),
  });
