import type { ListQuotesRequest, ListQuotesResponse } from "../../../proto/gen/corridor/fx/v1/fx_service";
import type { Clock } from "../../shared/kernel/clock";
import { listName, readListCursor, writeListCursor } from "../../shared/kernel/list-cursor";
import type { QuoteListStore } from "../store/quote-list-store";

const maxLimit = 200;

/** Reads straight from the store; no decision is involved. */
export const listQuotesHandler =
  (lists: Pick<QuoteListStore, "list">, clock: Clock) =>
  async (request: ListQuotesRequest): Promise<ListQuotesResponse> => {
    const { tenant, sourceCurrency, destinationCurrency, after, limit } = request;
    const filter = { sourceCurrency, destinationCurrency };
    const list = listName("quotes", { tenant }, filter);
    const { quotes, next } = await lists.list(tenant, filter, {
      after: after === undefined ? undefined : readListCursor(list, after),
      limit: Math.min(Math.max(limit, 1), maxLimit),
    });
    const now = clock.now();
    return {
      quotes: quotes.map(({ _id: quoteId, mantissa, scale, ...quote }) => ({
        quoteId,
        sourceCurrency: quote.sourceCurrency,
        destinationCurrency: quote.destinationCurrency,
        paymentMethod: quote.paymentMethod,
        rate: { mantissa, scale },
        createdAt: quote.createdAt,
        expiresAt: quote.expiresAt,
        isExpired: quote.expiresAt <= now,
      })),
      next: next && writeListCursor(list, next),
    };
  };
