import type { Received, Respond } from "./sink";

/** What an endpoint got and how it answered, in the order of arrival. */
export interface Arrivals {
  /** Notes each request and answers it, with the status that `statusOf` gives, after a while. */
  respond: Respond;
  /** Ids of all events, or batches, that were accepted. */
  accepted: ReadonlySet<string>;
  /** Every attempt that came although one before it in its lane had neither been accepted nor failed four times. */
  overtakings(): string[];
  /** Ids that were accepted more than once. */
  repeated(): string[];
}

export interface ArrivalsOptions {
  statusOf(received: Received): number;
  /** How long an answer takes, milliseconds. */
  delayOf(received: Received): number;
  /** What is kept in order, and the place in it, which grows. */
  placeOf(received: Received): { lane: string; place: number };
}

const attemptsBeforePassing = 4;

export const eventIdOf = ({ headers }: Pick<Received, "headers">): string => String(headers["x-service-event-id"]);

/** Place of an event among those of its transaction. */
export const inTransaction = ({ headers, body }: Received) => ({
  lane: (JSON.parse(body) as { transactionId: string }).transactionId,
  place: Number(headers["x-service-sequence"]),
});

/** Place of a batch among all of its subscription. */
export const inSubscription = ({ headers, path }: Received) => ({
  lane: path,
  place: Number(headers["x-service-sequence"]),
});

export function recordArrivals({ statusOf, delayOf, placeOf }: ArrivalsOptions): Arrivals {
  const lanes = new Map<string, { place: number; id: string; failures: number; isAccepted: boolean }[]>();
  const accepted = new Set<string>();
  const repeated = new Set<string>();
  const violations: string[] = [];
  const note = (received: Received, status: number): void => {
    const { lane: name, place } = placeOf(received);
    const lane = lanes.get(name) ?? [];
    lanes.set(name, lane);
    const id = eventIdOf(received);
    const known = lane.find((one) => one.id === id);
    const one = known ?? { place, id, failures: 0, isAccepted: false };
    if (known === undefined) {
      const last = Math.max(0, ...lane.map((other) => other.place));
      if (place < last) violations.push(`${place} of ${name} came first when ${last} was there already`);
      lane.push(one);
    }
    if (!one.isAccepted) {
      for (const other of lane) {
        if (other.place < place && !other.isAccepted && other.failures < attemptsBeforePassing)
          violations.push(`${place} of ${name} passed ${other.place} after ${other.failures} failures`);
      }
    }
    if (status >= 300) one.failures += 1;
    else {
      one.isAccepted = true;
      if (accepted.has(id)) repeated.add(id);
      accepted.add(id);
    }
  };
  return {
    respond(received, response) {
      const status = statusOf(received);
      note(received, status);
      setTimeout(() => response.writeHead(status).end(), delayOf(received));
    },
    accepted,
    overtakings: () => violations,
    repeated: () => [...repeated],
  };
}
