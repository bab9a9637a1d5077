import type { Connection } from "mongoose";
import { beginningOfTime } from "../../shared/kernel/clock";
import type { ListPlace } from "../../shared/kernel/list-cursor";
import { driverDb } from "../../shared/storage/mongo";
import type { PaymentMethod } from "../domain/pricing";

/** Which quotes of a tenant are listed; what is undefined is not asked for. */
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
   * Quotes, the newest first, from behind a place on. `next` is where the page ended while there may be more: a page reads at most
   * 20 entries of an index for each quote that it may show, so it can be short.
   */
  list(
    tenant: string,
    filter: QuoteFilter,
    page: { after: ListPlace | undefined; limit: number },
  ): Promise<{ quotes: ListedQuote[]; next: ListPlace | undefined }>;
}

/** Entries that are read at most for each quote of a page, beside the one behind the page. */
const walkedPerRow = 19;

const shown = {
  sourceCurrency: 1,
  destinationCurrency: 1,
  paymentMethod: 1,
  mantissa: 1,
  scale: 1,
  createdAt: 1,
  expiresAt: 1,
} as const;

/** Lists of quotes. Their order never changes, so that a walk through the pages shows each once. */
export function makeQuoteListStore(connection: Connection): QuoteListStore {
  const quotes = driverDb(connection).collection<ListedQuote & { tenant: string }>("quotes");
  return {
    async init() {
      await quotes.createIndex({ tenant: 1, createdAt: -1, _id: -1 });
    },
    async list(tenant, { sourceCurrency, destinationCurrency }, { after, limit }) {
      const createdAt =
        after === undefined ? { $gt: beginningOfTime } : { $gt: beginningOfTime, $lte: after.createdAt };
      const behind =
        after === undefined ? {} : { $or: [{ createdAt: { $lt: after.createdAt } }, { _id: { $lt: after.id } }] };
      const isPlain = sourceCurrency === undefined && destinationCurrency === undefined;
      const most = isPlain ? limit : walkedPerRow * limit;
      const found = quotes
        .find({ tenant, createdAt, ...behind }, { projection: shown })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most + 1);
      const rows: ListedQuote[] = [];
      let last: ListPlace | undefined;
      let read = 0;
      for await (const quote of found) {
        if (rows.length === limit || read === most) return { quotes: rows, next: last };
        read += 1;
        last = { createdAt: quote.createdAt, id: quote._id };
        const isOfPair =
          (sourceCurrency ?? quote.sourceCurrency) === quote.sourceCurrency &&
          (destinationCurrency ?? quote.destinationCurrency) === quote.destinationCurrency;
        if (isOfPair) rows.push(quote);
      }
      return { quotes: rows, next: undefined };
    },
  };
}
