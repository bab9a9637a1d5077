import type { Clock } from "../../shared/clock";
import { eventsMissing, type Inbox } from "../../shared/inbox";
import type { Transact, Tx } from "../../shared/mongo";
import { type Delivery, deliveryOf } from "../domain/delivery";
import { isTold, type PlacedEvent, type Subject } from "../domain/event";
import type { DeliveryStore } from "../store/delivery-store";
import type { EventStore } from "../store/event-store";
import type { LaneStore } from "../store/lane-store";
import type { SubscriptionStore } from "../store/subscription-store";

export interface FanOutEventsDeps {
  transact: Transact;
  inbox: Pick<Inbox, "takeAll">;
  events: Pick<EventStore, "append">;
  subscriptions: Pick<SubscriptionStore, "enabledIn">;
  deliveries: Pick<DeliveryStore, "add">;
  lanes: Pick<LaneStore, "touch">;
  clock: Clock;
  /** Tells the workers that lanes may be due. */
  wakeWorkers(): void;
}

export interface FanOutEventsCommand {
  /** Where the events come from. */
  stream: string;
  subject: Subject;
  /** By ascending sequence. */
  events: readonly PlacedEvent[];
}

/** Handles several messages in one transaction. The answer names those that have to come again. */
export type FanOutEvents = (commands: readonly FanOutEventsCommand[]) => Promise<(Error | undefined)[]>;

/**
 * Gives each event its place in the feed of its tenant, and makes one delivery per event and subscription that wants it.
 * Both happen once: repeats are dropped by the inbox. Answers VERSION_CONFLICT for a message with missing events before it.
 */
export const makeFanOutEvents =
  (deps: FanOutEventsDeps): FanOutEvents =>
  async (commands) => {
    const { errors, made } = await deps.transact(async (tx) => {
      const messages = commands.map(({ stream, subject, events }) => ({ stream, aggregateId: subject.id, events }));
      const taken = await deps.inbox.takeAll(tx, messages);
      const fresh = commands.flatMap(({ subject }, index) =>
        (taken[index] ?? []).filter(isTold).map((event) => ({ ...event, subject })),
      );
      const added = fresh.length === 0 ? [] : await deliveriesOf(deps, tx, fresh);
      return {
        made: added.length,
        errors: commands.map(({ subject }, index) =>
          taken[index] === undefined ? eventsMissing(subject.id) : undefined,
        ),
      };
    });
    if (made > 0) deps.wakeWorkers();
    return errors;
  };

type FreshEvents = Parameters<EventStore["append"]>[1];

/** Stores the events, and their deliveries with their lanes. */
async function deliveriesOf(deps: FanOutEventsDeps, tx: Tx, fresh: FreshEvents): Promise<readonly Delivery[]> {
  const { events, subscriptions, deliveries, lanes, clock } = deps;
  const at = clock.now();
  const placed = await events.append(tx, fresh, at);
  const tenants = new Set(placed.map(({ subject }) => subject.tenant));
  const enabled = await subscriptions.enabledIn(tx, [...tenants]);
  const added = placed.flatMap((event) =>
    enabled
      .filter(({ tenant }) => tenant === event.subject.tenant)
      .flatMap((subscription) => deliveryOf(event, subscription, at) ?? []),
  );
  if (added.length === 0) return [];
  await deliveries.add(tx, added);
  await lanes.touch(tx, added, at);
  return added;
}
