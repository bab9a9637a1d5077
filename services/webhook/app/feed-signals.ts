import { feedGrew } from "../../shared/bus/bus-users";
import type { Bus } from "../../shared/bus/jetstream";
import type { Running } from "../../shared/process/lifecycle";

export interface FeedSignals extends Running {
  /** Wakes the readers that wait for new events in a tenant's feed. */
  noteGrown(tenant: string): void;
}

/** Pause between two signals, in which tenants are collected, milliseconds. */
const restMs = 50;

/**
 * Signals on the bus which tenants' feeds have grown: the first at once, those within the pause together. Signals may be
 * lost; a waiting reader looks once more when its wait ends.
 */
export function makeFeedSignals(bus: Pick<Bus, "signal">): FeedSignals {
  const grown = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const signal = (): void => {
    timer = undefined;
    if (grown.size === 0) return;
    bus.signal(feedGrew, [...grown].join(" "));
    grown.clear();
    timer = setTimeout(signal, restMs);
  };
  return {
    noteGrown(tenant) {
      grown.add(tenant);
      if (timer === undefined) signal();
    },
    stop() {
      clearTimeout(timer);
      signal();
      clearTimeout(timer);
      return Promise.resolve();
    },
  };
}
