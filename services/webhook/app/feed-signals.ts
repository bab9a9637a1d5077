import { feedGrew } from "../../shared/bus/bus-users";
import type { Bus } from "../../shared/bus/jetstream";
import type { Running } from "../../shared/process/lifecycle";

export interface FeedSignals extends Running {
  /** Tells who waits for something new in a tenant's feed. */
  noteTold(tenant: string): void;
}

/** Rest between two words, in which what is to be said is gathered, milliseconds. */
const restMs = 50;

/**
 * Tells on the bus whose feeds have grown: at once what comes alone, and together what comes while others wait. Words may be lost;
 * who waits looks once more when his wait is over.
 */
export function makeFeedSignals(bus: Pick<Bus, "signal">): FeedSignals {
  const grown = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    if (grown.size === 0) return;
    bus.signal(feedGrew, [...grown].join(" "));
    grown.clear();
    timer = setTimeout(tell, restMs);
  };
  return {
    noteTold(tenant) {
      grown.add(tenant);
      if (timer === undefined) tell();
    },
    stop() {
      clearTimeout(timer);
      tell();
      clearTimeout(timer);
      return Promise.resolve();
    },
  };
}
