import { monotonicMs } from "../../shared/kernel/clock";
import type { EventStore } from "../store/event-store";

/** Where the feeds of tenants end, as far as this process knows. A page that is put elsewhere is refused by the store. */
export interface FeedEnds {
  of(tenant: string): Promise<number>;
  keep(tenant: string, last: number): void;
  forget(tenant: string): void;
}

/** Most tenants that are kept in memory. */
const capacity = 10_000;
/**
 * What is known is used for so long, milliseconds. It is an end that the feed has had, so the page behind it has its place for as
 * long as that page is kept, which is far longer.
 */
const longestMs = 60_000;

export function makeFeedEnds({ last: read }: Pick<EventStore, "last">, nowMs: () => number = monotonicMs): FeedEnds {
  const kept = new Map<string, { last: number; atMs: number }>();
  return {
    async of(tenant) {
      const known = kept.get(tenant);
      return known !== undefined && nowMs() - known.atMs < longestMs ? known.last : read(tenant);
    },
    keep(tenant, last) {
      kept.delete(tenant);
      const [oldest] = kept.keys();
      if (kept.size >= capacity && oldest !== undefined) kept.delete(oldest);
      kept.set(tenant, { last, atMs: nowMs() });
    },
    forget: (tenant) => void kept.delete(tenant),
  };
}
