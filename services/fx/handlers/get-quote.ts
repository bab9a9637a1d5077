import type { GetQuoteRequest, GetQuoteResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { QuoteStore } from "../store/quote-store";
import { encodeQuoteDetail } from "./codec";

export const getQuoteHandler =
  (quotes: Pick<QuoteStore, "find">, clock: Clock) =>
  async ({ tenant, quoteId }: GetQuoteRequest): Promise<GetQuoteResponse> => {
    const quote = await quotes.find(tenant, quoteId);
    if (quote === undefined) throw new DomainError("QUOTE_NOT_FOUND", "there is no such quote");
    return { detail: encodeQuoteDetail(quote, clock.now()) };
  };
