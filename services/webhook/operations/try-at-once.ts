import { eventsMissing, type Inbox } from "../../shared/bus/inbox";
import type { Clock } from "../../shared/kernel/clock";
import { passageOf } from "../domain/circuit";
import { consignmentOf } from "../domain/consignment";
import { type Delivery, deliveryOf } from "../domain/delivery";
import { isTold, type PlacedEvent, type Subject } from "../domain/event";
import type { Subscription } from "../domain/subscription";
import type { QueueStore } from "../store/queue-store";
import type { SubscriptionStore } from "../store/subscription-store";
import { type Attempted, type MakeOneAttempt, paceOf, quickMs } from "./attempt";
import { type EndpointSlots, inPlace } from "./endpoint-slots";
import type { FindNow } from "./find-now";
import { grouped } from "./grouped";

export interface TryAtOnceDeps {
  inbox: Pick<Inbox, "fresh">;
  subscriptions: Pick<SubscriptionStore, "enabledIn">;
  queues: Pick<QueueStore, "opened">;
  findNow: FindNow;
  slots: Pick<EndpointSlots, "beginFirst" | "dismissFirsts">;
  makeOneAttempt: MakeOneAttempt;
  clock: Clock;
}

/** Events of one subject as a message of the bus brings them. */
export interface EventMessage {
  /** Where the events come from. */
  stream: string;
  subject: Subject;
  /** By ascending sequence. */
  events: readonly PlacedEvent[];
}

/** A first attempt at a delivery that is not stored yet: what came of it, or that it has not ended. */
export type FirstAttempt = { subscription: Subscription; delivery: Delivery } & (
  | { kind: "ended"; attempted: Attempted }
  | { kind: "under way"; attempted: Promise<Attempted> }
);

/** Throws VERSION_CONFLICT when events before those of the message are missing. */
export type TryAtOnce = (message: EventMessage) => Promise<FirstAttempt[]>;

/** Deliveries of one lane, by ascending sequence. */
interface Try {
  subscription: Subscription;
  deliveries: readonly Delivery[];
}

const largestGroup = 256;
/** Longest wait for places to make the first attempts of one message, milliseconds. */
const longestLineMs = 2_000;

/**
 * Makes the first attempts of a message's events before they are stored, so that a delivery to an endpoint that answers
 * is written once. Whoever dies in between gets the message again and repeats them. Nothing passes what waits in a
 * queue, or what an attempt left undelivered; and nothing waits here for long.
 */
export function makeTryAtOnce(deps: TryAtOnceDeps): TryAtOnce {
  const prepare = grouped(makePrepare(deps), largestGroup);
  const tryLane = makeTryLane(deps);
  return async (message) => {
    const tries = await prepare(message);
    if (tries.length === 0) return [];
    const deadline = startDeadline(longestLineMs);
    const made = await Promise.all(tries.map((one) => tryLane(one, deadline)));
    deadline.cancel();
    return made.flat();
  };
}

/** What may be tried of each message. */
function makePrepare({ inbox, subscriptions, queues, clock }: TryAtOnceDeps) {
  return async (messages: readonly EventMessage[]) => {
    const [fresh, enabled] = await Promise.all([
      inbox.fresh(messages.map(({ stream, subject, events }) => ({ stream, aggregateId: subject.id, events }))),
      subscriptions.enabledIn([...new Set(messages.map(({ subject }) => subject.tenant))]),
    ]);
    // After the inbox: an event whose predecessors it knows finds the queue that these have left open.
    const opened = new Set(await queues.opened(enabled.map(({ id }) => id)));
    const at = clock.now();
    const candidates = enabled.filter((one) => mayTry(one, at) && !opened.has(one.id));
    return messages.map(({ subject }, index) => {
      const events = fresh[index];
      if (events === undefined) return { error: eventsMissing(subject.id) };
      const ofTenant = candidates.filter(({ tenant }) => tenant === subject.tenant);
      return { value: ofTenant.map((subscription) => tryOf(subject, events, subscription, at)) };
    });
  };
}

function tryOf(subject: Subject, events: readonly PlacedEvent[], subscription: Subscription, at: Date): Try {
  // Their place in the feed is given when they are stored; nothing that is sent depends on it.
  const deliveries = events
    .filter(isTold)
    .flatMap((event) => deliveryOf({ ...event, subject, position: 0 }, subscription, at) ?? []);
  return { subscription, deliveries };
}

/** Tries one delivery after the other, up to the first that is not delivered in time. */
function makeTryLane({ slots, findNow, makeOneAttempt, clock }: TryAtOnceDeps) {
  return async ({ subscription: given, deliveries }: Try, deadline: Deadline): Promise<FirstAttempt[]> => {
    const made: FirstAttempt[] = [];
    for (const delivery of deliveries) {
      const place = deadline.hasPassed() ? undefined : await slots.beginFirst(given.id, deadline.passed);
      if (place === undefined) return made;
      // Read again after a wait, so that no attempt begun after a rotation uses the secret before it.
      const subscription = place.hasWaited || made.length > 0 ? await findNow(given.id).catch(ignore) : given;
      if (subscription === undefined || !mayTry(subscription, clock.now())) {
        place.end();
        return made;
      }
      const attempted = inPlace(place.end, makeOneAttempt(subscription, consignmentOf([delivery])), paceOf);
      const ended = await withinPatience(attempted);
      if (ended === undefined) {
        // Whoever waits for a place would wait as long.
        slots.dismissFirsts(given.id);
        return [...made, { kind: "under way", subscription, delivery, attempted }];
      }
      made.push({ kind: "ended", subscription, delivery, attempted: ended });
      if (ended.outcome.kind !== "delivered") return made;
    }
    return made;
  };
}

const mayTry = ({ isBatch, disabled, health }: Subscription, at: Date): boolean =>
  !isBatch && disabled === undefined && passageOf(health, at).kind === "open";

const ignore = (): undefined => undefined;

/** What the work comes to, or undefined when it takes longer than a quick endpoint. */
async function withinPatience<T>(work: Promise<T>): Promise<T | undefined> {
  const deadline = startDeadline(quickMs);
  return Promise.race([work, deadline.passed]).finally(deadline.cancel);
}

interface Deadline {
  /** Never ends after `cancel`. */
  passed: Promise<undefined>;
  hasPassed(): boolean;
  cancel(): void;
}

function startDeadline(ms: number): Deadline {
  let isPassed = false;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      isPassed = true;
      resolve(undefined);
    }, ms);
  });
  return { passed, hasPassed: () => isPassed, cancel: () => clearTimeout(timer) };
}
