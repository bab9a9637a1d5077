import { eventsMissing } from "../../shared/bus/inbox";
import type { Clock } from "../../shared/kernel/clock";
import { batchCalls } from "../../shared/process/batch-calls";
import { passageOf } from "../domain/circuit";
import { type Delivery, deliveryOf } from "../domain/delivery";
import { dispatchOf } from "../domain/dispatch";
import { isNotified, type SequencedEvent, type Subject } from "../domain/event";
import { unhandledOf } from "../domain/handled";
import type { Restore } from "../domain/restore";
import type { Subscription } from "../domain/subscription";
import type { HandledStore, Taken } from "../store/handled-store";
import { type Attempted, type MakeOneAttempt, paceOf, quickMs } from "./attempt";
import { type EndpointSlots, inPlace } from "./endpoint-slots";
import type { KnownQueues } from "./known-queues";
import type { KnownSubscriptions } from "./known-subscriptions";

export interface TryAtOnceDeps {
  handled: Pick<HandledStore, "latest" | "isClear">;
  restores: readonly Restore[];
  known: Pick<KnownSubscriptions, "of" | "find">;
  knownQueues: Pick<KnownQueues, "opened">;
  slots: Pick<EndpointSlots, "beginFirst" | "dismissFirsts">;
  makeOneAttempt: MakeOneAttempt;
  clock: Clock;
}

/** Events of one subject from one message of the bus. */
export type EventMessage = Taken;

/** A first attempt at a delivery that is not stored yet: ended with a result, or still under way. */
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
/** Longest wait for slots for the first attempts of one message, milliseconds. */
const longestLineMs = 2_000;

/**
 * Makes the first attempts of a message's events before they are stored, so that a delivery to a responsive endpoint is
 * written once. After a crash in between the message is redelivered and the attempts are repeated. No delivery overtakes
 * one of its subject that waits in a queue or that an attempt left undelivered; and none waits here for long.
 */
export function makeTryAtOnce(deps: TryAtOnceDeps): TryAtOnce {
  const prepare = batchCalls(makePrepare(deps), { most: largestGroup });
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

/** Selects the deliveries of each message that may be tried at once. */
function makePrepare({ handled, restores, known, knownQueues, clock }: TryAtOnceDeps) {
  return async (messages: readonly EventMessage[]) => {
    const [lasts, subscriptions] = await Promise.all([
      handled.latest(messages),
      known.of(messages.map(({ subject }) => subject.tenant)),
    ]);
    const { fresh } = unhandledOf(messages, lasts, restores);
    const at = clock.now();
    const able = subscriptions.filter((one) => mayTry(one, at));
    // Read after the handled events: the queue that their predecessors left open is then visible. If there can be no such queue, memory
    // suffices.
    const opened = await knownQueues.opened(
      able.map(({ id }) => id),
      messages.every(handled.isClear),
    );
    const candidates = able.filter(({ id }) => !opened.has(id));
    return messages.map(({ subject }, index) => {
      const events = fresh[index];
      if (events === undefined) return { error: eventsMissing(subject.id) };
      const ofTenant = candidates.filter(({ tenant }) => tenant === subject.tenant);
      return { value: ofTenant.map((subscription) => tryOf(subject, events, subscription, at)) };
    });
  };
}

function tryOf(subject: Subject, events: readonly SequencedEvent[], subscription: Subscription, at: Date): Try {
  // Positions in the feed are assigned on storing; the request does not depend on them.
  const deliveries = events
    .filter(isNotified)
    .flatMap((event) => deliveryOf({ ...event, subject, position: 0 }, subscription, at) ?? []);
  return { subscription, deliveries };
}

/** Tries one delivery after the other until one is not delivered in time. */
function makeTryLane({ slots, known, makeOneAttempt, clock }: TryAtOnceDeps) {
  return async ({ subscription: given, deliveries }: Try, deadline: Deadline): Promise<FirstAttempt[]> => {
    const made: FirstAttempt[] = [];
    for (const delivery of deliveries) {
      const place = deadline.hasPassed() ? undefined : await slots.beginFirst(given.id, deadline.passed);
      if (place === undefined) return made;
      // Looked up again after a wait, so that a secret from before a rotation is used no longer than its signal may take.
      const isOld = place.hasWaited || made.length > 0;
      const subscription = isOld ? await known.find(given.tenant, given.id).catch(ignore) : given;
      if (subscription === undefined || !mayTry(subscription, clock.now())) {
        place.end();
        return made;
      }
      const attempted = inPlace(place.end, makeOneAttempt(subscription, dispatchOf([delivery])), paceOf);
      const ended = await withinPatience(attempted);
      if (ended === undefined) {
        // Other first attempts would wait as long for a slot.
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

/** Returns the result of the work, or undefined when it takes longer than a quick endpoint. */
async function withinPatience<T>(work: Promise<T>): Promise<T | undefined> {
  const deadline = startDeadline(quickMs);
  return Promise.race([work, deadline.passed]).finally(deadline.cancel);
}

interface Deadline {
  /** Never resolves after `cancel`. */
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
