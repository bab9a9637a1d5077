import { useSyncExternalStore } from "react";

/** One call that a page has made. It exists only in this page's memory. */
export interface Exchange {
  readonly key: number;
  /** Path of the page that made the call. */
  readonly page: string;
  readonly method: string;
  /** Path at this door. */
  readonly path: string;
  readonly body: string | undefined;
  /** 0 if nothing answered. */
  readonly status: number;
  readonly requestId: string | undefined;
  readonly tookMs: number;
}

const most = 60;
let kept: readonly Exchange[] = [];
let count = 0;
const listeners = new Set<() => void>();

/** Notes a call, newest first. Calls that wait for news or ask who is logged in belong to no page. */
export function noteExchange(facts: Omit<Exchange, "key" | "page">): void {
  if (facts.path.includes("/events?") || !/^\/api\/[to]\//.test(facts.path)) return;
  count += 1;
  kept = [{ ...facts, key: count, page: location.pathname }, ...kept].slice(0, most);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the calls of one page. */
export function useExchanges(page: string): readonly Exchange[] {
  return useSyncExternalStore(subscribe, () => kept).filter((one) => one.page === page);
}
