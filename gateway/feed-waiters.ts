import { feedGrew } from "../services/shared/bus/bus-users";
import type { Bus } from "../services/shared/bus/jetstream";
import { DomainError } from "../services/shared/kernel/errors";
import type { Running } from "../services/shared/process/lifecycle";
import { makeWaker, type Waker } from "../services/shared/process/waker";

/** A request that waits for something new in a tenant's feed. It is notified from its creation on, also before it waits. */
export interface Listening {
  /** Ends when the feed may have grown since the last wait, when waiting has ended for all, or after the given number of milliseconds. */
  wait(ms: number): Promise<void>;
  /** Ends the wait. */
  hangUp(): void;
  /** True when waiting has ended for all. */
  isOver(): boolean;
  end(): void;
}

export interface FeedWaiters extends Running {
  /**
   * Takes one of the holder's places for waiting requests. Throws RATE_LIMITED when there is none; returns a function that gives it back.
   */
  enter(holder: string): () => void;
  listen(tenant: string): Listening;
}

/** Most requests that wait at once for one holder of credentials, in this process. */
const mostAtOnce = 4;

/** Requests that wait for something new in feeds. The bus wakes them; when it may have lost a message, all of them look. */
export function makeFeedWaiters(bus: Pick<Bus, "onSignal">): FeedWaiters {
  const waiting = new Map<string, number>();
  const wakers = new Map<string, Set<Waker>>();
  let isStopped = false;
  const wake = (tenant: string): void => {
    for (const waker of wakers.get(tenant) ?? []) waker.wake();
  };
  const wakeAll = (): void => {
    for (const tenant of wakers.keys()) wake(tenant);
  };
  bus.onSignal(feedGrew, (text) => {
    if (text === "") wakeAll();
    else for (const tenant of text.split(" ")) wake(tenant);
  });
  return {
    enter(holder) {
      const present = waiting.get(holder) ?? 0;
      if (present >= mostAtOnce) {
        const details = { limitInFlight: mostAtOnce, retryAfterSeconds: 1 };
        throw new DomainError("RATE_LIMITED", "too many requests wait for events at once", { details });
      }
      waiting.set(holder, present + 1);
      return () => {
        const left = (waiting.get(holder) ?? 1) - 1;
        if (left === 0) waiting.delete(holder);
        else waiting.set(holder, left);
      };
    },
    listen(tenant) {
      const waker = makeWaker();
      const own = wakers.get(tenant) ?? new Set();
      wakers.set(tenant, own.add(waker));
      let isOver = false;
      return {
        wait: (ms) => waker.wait(ms),
        isOver: () => isOver || isStopped,
        hangUp() {
          isOver = true;
          waker.wake();
        },
        end() {
          own.delete(waker);
          if (own.size === 0) wakers.delete(tenant);
        },
      };
    },
    stop() {
      isStopped = true;
      wakeAll();
      return Promise.resolve();
    },
  };
}
