import type { Connection } from "mongoose";
import type { ListPlace } from "../../shared/kernel/list-cursor";
import { driverDb } from "../../shared/storage/mongo";
import { behindPlace, type ListPage, mostOf, readPage } from "../../shared/storage/read-list";
import type { PaymentMethod } from "../domain/pricing";

/** Filters a tenant's quotes; an undefined field matches everything. */
export interface QuoteFilter {
  sourceCurrency: string | undefined;
  destinationCurrency: string | undefined;
}

/** A quote as lists show it. */
export interface ListedQuote {
  _id: string;
  sourceCurrency: string;
  destinationCurrency: string;
  paymentMethod: PaymentMethod;
  mantissa: bigint;
  scale: number;
  createdAt: Date;
  expiresAt: Date;
}

export interface QuoteListStore {
  init(): Promise<void>;
  /**
   * Quotes, newest first, after a position. `next` is where the page ended while there may be more: a page reads at most 20
   * index entries for each quote that it may return, so it can be short.
   */
  list(
    tenant: string,
    filter: QuoteFilter,
    page: ListPage,
  ): Promise<{ quotes: ListedQuote[]; next: ListPlace | undefined }>;
}

const shown = {
  sourceCurrency: 1,
  destinationCurrency: 1,
  paymentMethod: 1,
  mantissa: 1,
  scale: 1,
  createdAt: 1,
  expiresAt: 1,
} as const;

/** Lists quotes. Their order never changes, so paging returns each exactly once. */
export function makeQuoteListStore(connection: Connection): QuoteListStore {
  const quotes = driverDb(connection).collection<ListedQuote & { tenant: string }>("quotes");
  return {
    async init() {
      await quotes.createIndex({ tenant: 1, createdAt: -1, _id: -1 });
    },
    async list(tenant, { sourceCurrency, destinationCurrency }, page) {
      const most = mostOf(page, sourceCurrency !== undefined || destinationCurrency !== undefined);
      const found = quotes
        .find({ tenant, ...behindPlace("createdAt", page) }, { projection: shown })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most + 1);
      const { rows, next } = await readPage(
        found,
        { limit: page.limit, most },
        ({ createdAt, _id: id }) => ({ createdAt, id }),
        (quote) =>
          (sourceCurrency ?? quote.sourceCurrency) === quote.sourceCurrency &&
          (destinationCurrency ?? quote.destinationCurrency) === quote.destinationCurrency,
      );
      return { quotes: rows, next };
    },
  };
}
