/** One request with its answer. */
export interface Exchange {
  method: string;
  /** Path and query. */
  path: string;
  /** The body of the request. */
  sent: string | undefined;
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/** What sees all that clients of a test file exchange with a platform. */
export interface ExchangeObserver {
  see(exchange: Exchange): void;
  seeWebhook(body: string): void;
}

let observer: ExchangeObserver | undefined;

/** Has an observer see all later exchanges. Suites that compare nothing do without what the comparison would load. */
export function observeExchanges(by: ExchangeObserver): void {
  observer = by;
}

export const seeExchange = (exchange: Exchange): void => observer?.see(exchange);
export const seeWebhook = (body: string): void => observer?.seeWebhook(body);
