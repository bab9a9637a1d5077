/**
 * How many attempts are made at an endpoint at a time. It begins with few; each quick answer lets in one more, up to the
 * most, and one that is slow or fails brings it back to few.
 */
export interface EndpointSlots {
  /** A place for an attempt of the queue's worker, as soon as there is one. */
  begin(subscriptionId: string): Promise<EndPlace>;
  /** A place for a first attempt out of turn. Workers come before; undefined when there is none before `tooLate`. */
  beginFirst(
    subscriptionId: string,
    tooLate: Promise<void>,
  ): Promise<{ hasWaited: boolean; end: EndPlace } | undefined>;
  /** The endpoint takes its time: sends all away that wait for a place for a first attempt. */
  dismissFirsts(subscriptionId: string): void;
}

/** How an endpoint did at an attempt. */
export type Pace = "quick" | "slow";

/** Gives a place back. No pace: no attempt was made. */
export type EndPlace = (pace?: Pace) => void;

/** All limits are over all replicas. */
export interface EndpointLimits {
  fewest: number;
  /** While as many are in flight at all endpoints together, none gets more. */
  most: number;
  /** Replicas that live. Each has an equal part of an endpoint's places, at least one. */
  replicas(): number;
}

interface Endpoint {
  limit: number;
  inFlight: number;
  workers: Set<Enter>;
  firsts: Set<Enter>;
}

/** Called once: with a place, or with none. */
type Enter = (end: EndPlace | undefined) => void;

/** What is known of an endpoint is forgotten with its last attempt. */
export function makeEndpointSlots({ fewest, most, replicas }: EndpointLimits): EndpointSlots {
  const endpoints = new Map<string, Endpoint>();
  let allInFlight = 0;
  const endpointOf = (id: string): Endpoint => {
    const known = endpoints.get(id);
    if (known !== undefined) return known;
    const made = { limit: fewest, inFlight: 0, workers: new Set<Enter>(), firsts: new Set<Enter>() };
    endpoints.set(id, made);
    return made;
  };
  const placesAt = ({ limit }: Endpoint): number => Math.max(1, Math.floor(limit / replicas()));
  const letIn = (id: string, endpoint: Endpoint): void => {
    for (const line of [endpoint.workers, endpoint.firsts]) {
      for (const enter of line) {
        if (endpoint.inFlight >= placesAt(endpoint)) return;
        line.delete(enter);
        endpoint.inFlight += 1;
        allInFlight += 1;
        enter((pace) => {
          endpoint.inFlight -= 1;
          allInFlight -= 1;
          if (pace === "quick" && allInFlight < most) endpoint.limit = Math.min(most, endpoint.limit + 1);
          if (pace === "slow") endpoint.limit = fewest;
          letIn(id, endpoint);
        });
      }
    }
    const { inFlight, workers, firsts } = endpoint;
    if (inFlight + workers.size + firsts.size === 0 && endpoints.get(id) === endpoint) endpoints.delete(id);
  };
  const dismiss = (id: string, endpoint: Endpoint, leaving: Iterable<Enter>): void => {
    for (const enter of leaving) if (endpoint.firsts.delete(enter)) enter(undefined);
    letIn(id, endpoint);
  };
  return {
    begin(id) {
      const endpoint = endpointOf(id);
      return new Promise((resolve) => {
        endpoint.workers.add((end) => resolve(end ?? nothing));
        letIn(id, endpoint);
      });
    },
    beginFirst(id, tooLate) {
      const endpoint = endpointOf(id);
      return new Promise((resolve) => {
        let hasWaited = false;
        const enter: Enter = (end) => resolve(end === undefined ? undefined : { hasWaited, end });
        endpoint.firsts.add(enter);
        letIn(id, endpoint);
        hasWaited = true;
        if (endpoint.firsts.has(enter)) void tooLate.then(() => dismiss(id, endpoint, [enter]));
      });
    },
    dismissFirsts(id) {
      const endpoint = endpoints.get(id);
      if (endpoint === undefined) return;
      endpoint.limit = fewest;
      dismiss(id, endpoint, [...endpoint.firsts]);
    },
  };
}

const nothing = (): void => {};

/** Gives the place back when the work ends. */
export async function inPlace<T>(end: EndPlace, work: Promise<T>, paceOf: (result: T) => Pace | undefined): Promise<T> {
  let pace: Pace | undefined;
  try {
    const result = await work;
    pace = paceOf(result);
    return result;
  } finally {
    end(pace);
  }
}
