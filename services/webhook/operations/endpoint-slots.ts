/**
 * Limits the concurrent attempts at an endpoint. The limit begins at `fewest`; each quick answer raises it by one up to the
 * most, and a slow or failed attempt resets it.
 */
export interface EndpointSlots {
  /** Waits for a slot for an attempt of the queue's worker. */
  begin(subscriptionId: string): Promise<EndPlace>;
  /** Waits for a slot for a first attempt; workers come first. Undefined when no slot is free before `tooLate`. */
  beginFirst(
    subscriptionId: string,
    tooLate: Promise<void>,
  ): Promise<{ hasWaited: boolean; end: EndPlace } | undefined>;
  /** Turns away all first attempts that wait for a slot, because the endpoint is slow. */
  dismissFirsts(subscriptionId: string): void;
}

/** How quickly an endpoint answered an attempt. */
export type Pace = "quick" | "slow";

/** Frees a slot. No pace: no attempt was made. */
export type EndPlace = (pace?: Pace) => void;

/** Limits over all replicas together. */
export interface EndpointLimits {
  fewest: number;
  /** Highest limit of an endpoint. No limit rises while this many attempts are in flight at all endpoints together. */
  most: number;
  /** Number of live replicas. Each has an equal share of an endpoint's slots, at least one. */
  replicas(): number;
}

interface Endpoint {
  limit: number;
  inFlight: number;
  workers: Set<Enter>;
  firsts: Set<Enter>;
}

/** Called once, with a slot or without. */
type Enter = (end: EndPlace | undefined) => void;

/** Creates the slots. The state of an endpoint is dropped with its last attempt. */
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

/** Frees the slot when the work ends. */
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
