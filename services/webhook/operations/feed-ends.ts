import { monotonicMs } from "../../shared/kernel/clock";
import type { EventStore } from "../store/event-store";

/** Last positions of tenants' feeds as far as this process knows. The store refuses a page at any other position. */
export interface FeedEnds {
  of(tenant: string): Promise<number>;
  keep(tenant: string, last: number): void;
  forget(tenant: string): void;
}

/** Most tenants held in memory. */
const capacity = 10_000;
/**
 * How long a known end is used, milliseconds. It was once the end of the feed, and the page stored after it occupies that
 * position for as long as it is kept, which is far longer.
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
