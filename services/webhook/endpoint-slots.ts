/** How many attempts are made at an endpoint at a time. */
export interface EndpointSlots {
  /** A place for an attempt of the queue's worker, as soon as there is one. The answer gives it back. */
  begin(subscriptionId: string): Promise<EndPlace>;
  /** A place for a first attempt out of turn. Workers come before; undefined when there is none before `tooLate`. */
  beginFirst(
    subscriptionId: string,
    tooLate: Promise<void>,
  ): Promise<{ hasWaited: boolean; end: EndPlace } | undefined>;
  /** Sends all away that wait for a place for a first attempt. */
  dismissFirsts(subscriptionId: string): void;
}

export type EndPlace = () => void;

interface Endpoint {
  inFlight: number;
  workers: Set<Enter>;
  firsts: Set<Enter>;
}

/** Called once: with a place, or with none. */
type Enter = (end: EndPlace | undefined) => void;

/** `limitOf` says how many attempts there may be at a time. */
export function makeEndpointSlots(limitOf: (subscriptionId: string) => number): EndpointSlots {
  const endpoints = new Map<string, Endpoint>();
  const endpointOf = (id: string): Endpoint => {
    const known = endpoints.get(id);
    if (known !== undefined) return known;
    const made = { inFlight: 0, workers: new Set<Enter>(), firsts: new Set<Enter>() };
    endpoints.set(id, made);
    return made;
  };
  const letIn = (id: string, endpoint: Endpoint): void => {
    for (const line of [endpoint.workers, endpoint.firsts]) {
      for (const enter of line) {
        if (endpoint.inFlight >= limitOf(id)) return;
        line.delete(enter);
        endpoint.inFlight += 1;
        enter(() => {
          endpoint.inFlight -= 1;
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
      if (endpoint !== undefined) dismiss(id, endpoint, [...endpoint.firsts]);
    },
  };
}

const nothing = (): void => {};
