import type { ListEventsResponse } from "../proto/gen/corridor/webhook/v1/webhook_service";
import { monotonicMs } from "../services/shared/kernel/clock";
import type { Upstreams } from "./clients";
import type { FeedWaiters } from "./feed-waiters";
import type { Patience } from "./route";

export interface EventsAsked {
  /** The holder that the wait counts against. */
  holder: string;
  tenant: string;
  /** Position of the last event that the caller has; when absent, reading starts with the oldest event that is kept. */
  after: bigint | "newest" | undefined;
  limit: number;
  eventNames: string[];
  waitMs: number;
  patience: Patience;
}

export type ReadEvents = (asked: EventsAsked) => Promise<ListEventsResponse>;

/**
 * Reads a page of a feed. If it is empty and the caller wants to wait, reads again whenever the feed has grown, until there is something,
 * the wait is over or the caller has hung up. A waiting request takes none of the places of requests in flight.
 */
export function makeReadEvents({
  webhook,
  waiters,
}: {
  webhook: Pick<Upstreams["webhook"], "listEvents">;
  waiters: Pick<FeedWaiters, "enter" | "listen">;
}): ReadEvents {
  return async ({ holder, waitMs, patience, after, ...asked }) => {
    if (waitMs === 0) return webhook.listEvents({ ...asked, ...placeOf(after) });
    const untilMs = monotonicMs() + waitMs;
    const listening = waiters.listen(asked.tenant);
    const forget = patience.onGone(listening.hangUp);
    let leave: (() => void) | undefined;
    try {
      for (let place: typeof after = after; ; ) {
        const page = await webhook.listEvents({ ...asked, ...placeOf(place) });
        const leftMs = untilMs - monotonicMs();
        if (page.events.length > 0 || leftMs <= 0 || listening.isOver()) return page;
        // Otherwise there was more to look at.
        if (page.next === place) {
          leave ??= waiters.enter(holder);
          patience.standAside();
          await listening.wait(leftMs);
        }
        place = page.next;
      }
    } finally {
      leave?.();
      forget();
      listening.end();
    }
  };
}

const placeOf = (after: EventsAsked["after"]): { after: bigint | undefined; fromNewest: boolean } =>
  after === "newest" ? { after: undefined, fromNewest: true } : { after, fromNewest: false };
