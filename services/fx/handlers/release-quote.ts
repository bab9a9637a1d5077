import type { ReleaseQuoteRequest, ReleaseQuoteResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { ReleaseQuote } from "../operations/release-quote";

export const releaseQuoteHandler =
  (releaseQuote: ReleaseQuote) =>
  async ({ tenant, quoteId, paymentId }: ReleaseQuoteRequest): Promise<ReleaseQuoteResponse> => {
    await releaseQuote({ tenant, quoteId, paymentId });
    return {};
  };
