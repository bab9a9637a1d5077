import { eventsMissing, type Inbox } from "../../shared/bus/inbox";
import { type Clock, plusMs, systemClock } from "../../shared/kernel/clock";
import type { Transact, Tx } from "../../shared/storage/mongo";
import { afterFirstAttempt, whileUnderWay } from "../domain/attempt-outcome";
import { type Delivery, deliveryOf } from "../domain/delivery";
import { type FeedEvent, isTold } from "../domain/event";
import { leaseMs } from "../domain/lane";
import type { DeliveryStore } from "../store/delivery-store";
import type { EventStore, FreshEvent } from "../store/event-store";
import type { QueueStore } from "../store/queue-store";
import type { SubscriptionStore } from "../store/subscription-store";
import type { ItemResult } from "./grouped";
import type { EventMessage, FirstAttempt } from "./try-at-once";

export interface FanOutEventsDeps {
  transact: Transact;
  inbox: Pick<Inbox, "takeAll">;
  events: Pick<EventStore, "append">;
  subscriptions: Pick<SubscriptionStore, "enabledIn">;
  deliveries: Pick<DeliveryStore, "add">;
  queues: Pick<QueueStore, "touch">;
  clock: Clock;
  /** Name of this process among all that share the work. */
  holder: string;
  /** Hands over queues that may have been opened for this process. */
  handOver(subscriptionIds: readonly string[]): void;
}

export interface FanOutEventsCommand {
  message: EventMessage;
  /** What was tried already. */
  attempts: readonly FirstAttempt[];
}

/** Handles several messages in one transaction. The answer names those that have to come again. */
export type FanOutEvents = (commands: readonly FanOutEventsCommand[]) => Promise<ItemResult<void>[]>;

/**
 * Gives each event its place in the feed of its tenant, and makes one delivery per event and subscription that wants it,
 * as its first attempt left it. Both happen once: repeats are dropped by the inbox. Queues that this opens
 * are this process's. Answers VERSION_CONFLICT for a message with missing events before it.
 */
export const makeFanOutEvents =
  (deps: FanOutEventsDeps): FanOutEvents =>
  async (commands) => {
    const tried = new Map(
      commands.flatMap(({ attempts }) => attempts.map((attempt) => [attempt.delivery.id, attempt])),
    );
    const { waiting, results } = await deps.transact(async (tx) => {
      const messages = commands.map(({ message: { stream, subject, events } }) => ({
        stream,
        aggregateId: subject.id,
        events,
      }));
      const taken = await deps.inbox.takeAll(tx, messages);
      const fresh = commands.flatMap(({ message: { subject } }, index) =>
        (taken[index] ?? []).filter(isTold).map((event) => ({ ...event, subject })),
      );
      const added = fresh.length === 0 ? [] : await deliveriesOf(deps, tx, fresh, tried);
      return {
        waiting: added.filter(isPending).map(({ subscriptionId }) => subscriptionId),
        results: commands.map(({ message }, index) =>
          taken[index] === undefined ? { error: eventsMissing(message.subject.id) } : { value: undefined },
        ),
      };
    });
    if (waiting.length > 0) deps.handOver([...new Set(waiting)]);
    return results;
  };

type Tried = ReadonlyMap<string, FirstAttempt>;

/** Stores the events and their deliveries, and opens queues for what is not delivered yet. */
async function deliveriesOf(
  deps: FanOutEventsDeps,
  tx: Tx,
  fresh: readonly FreshEvent[],
  tried: Tried,
): Promise<readonly Delivery[]> {
  const { events, subscriptions, deliveries, queues, clock, holder } = deps;
  const at = clock.now();
  const placed = await events.append(tx, fresh, at);
  const enabled = await subscriptions.enabledIn([...new Set(placed.map(({ subject }) => subject.tenant))], tx);
  const added = placed.flatMap((event) =>
    enabled
      .filter(({ tenant }) => tenant === event.subject.tenant)
      .flatMap((subscription) => deliveryOf(event, subscription, at) ?? [])
      .map((delivery) => attempted(delivery, tried.get(delivery.id))),
  );
  added.push(...endedWithTheirSubscription(placed, added, tried, at));
  if (added.length === 0) return [];
  await deliveries.add(tx, added);
  const pausedUntil = new Map(enabled.map(({ id, health }) => [id, health.pausedUntil]));
  // An endpoint that is left alone is not looked at for each new event.
  const dueAt = (id: string): Date => later(at, pausedUntil.get(id));
  const waiting = added.filter(isPending).map(({ subscriptionId: id }) => [id, dueAt(id)] as const);
  await queues.touch(tx, new Map(waiting), { holder, leaseUntil: plusMs(systemClock.now(), leaseMs) });
  return added;
}

const isPending = ({ state }: Delivery): boolean => state === "pending";

const later = (one: Date, other: Date | undefined): Date => (other !== undefined && other > one ? other : one);

/**
 * Deliveries of a message whose subscription was disabled while a first attempt was made: that one, and what is given up
 * behind it.
 */
function endedWithTheirSubscription(
  placed: readonly FeedEvent[],
  added: readonly Delivery[],
  tried: Tried,
  at: Date,
): Delivery[] {
  const known = new Set(added.map(({ id }) => id));
  return [...tried.values()]
    .filter((first) => (first.kind === "under way" || first.attempted.isDisabled) && !known.has(first.delivery.id))
    .flatMap(({ subscription, delivery: { subjectId } }) =>
      placed
        .filter(({ subject }) => subject.id === subjectId)
        .flatMap((event) => deliveryOf(event, subscription, at) ?? [])
        .map((delivery) => attempted({ ...delivery, state: "failed", endedAt: at }, tried.get(delivery.id))),
    );
}

/** The delivery as its first attempt left it. It was made before that attempt. */
function attempted(delivery: Delivery, first: FirstAttempt | undefined): Delivery {
  if (first === undefined) return delivery;
  const { createdAt } = first.delivery;
  if (first.kind === "under way")
    return whileUnderWay({ ...delivery, createdAt, state: "pending", endedAt: undefined }, delivery.createdAt);
  return afterFirstAttempt({ ...delivery, createdAt }, first.attempted.outcome, first.attempted.attempt);
}
