import type { Connection } from "mongoose";
import type { ListPlace } from "../../shared/kernel/list-cursor";
import { driverDb } from "../../shared/storage/mongo";
import { behindPlace, type ListPage, readPage } from "../../shared/storage/read-list";
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
   * Quotes, newest first, after a position. `next` is where the page ended while there may be more.
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
      // One index for each combination of filters, so that a page of few matches among many quotes reads no more than it shows.
      const [source, destination] = [{ sourceCurrency: 1 }, { destinationCurrency: 1 }] as const;
      for (const asked of [{}, source, destination, { ...source, ...destination }]) {
        await quotes.createIndex({ tenant: 1, ...asked, createdAt: -1, _id: -1 });
      }
    },
    async list(tenant, { sourceCurrency, destinationCurrency }, page) {
      const asked = {
        ...(sourceCurrency === undefined ? {} : { sourceCurrency }),
        ...(destinationCurrency === undefined ? {} : { destinationCurrency }),
      };
      const found = quotes
        .find({ tenant, ...asked, ...behindPlace("createdAt", page) }, { projection: shown })
        .sort({ createdAt: -1, _id: -1 })
        .limit(page.limit + 1);
      const placeOf = ({ createdAt, _id: id }: ListedQuote): ListPlace => ({ createdAt, id });
      const { rows, next } = await readPage(found, page, placeOf);
      return { quotes: rows, next };
    },
  };
}
