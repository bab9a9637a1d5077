import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Transact } from "../../shared/storage/mongo";
import { type Delivery, deliveryIdOf, deliveryOf } from "../domain/delivery";
import type { FeedEvent } from "../domain/event";
import { eventNames, registeredSpelling } from "../domain/event-names";
import type { Subscription } from "../domain/subscription";
import type { DeliveryStore } from "../store/delivery-store";
import type { EventStore, SpanPlace } from "../store/event-store";
import type { QueueStore } from "../store/queue-store";
import type { SubscriptionStore } from "../store/subscription-store";
import type { SwitchSubscription } from "./switch-subscription";

export interface RecoverDeps {
  transact: Transact;
  subscriptions: Pick<SubscriptionStore, "find">;
  switching: Pick<SwitchSubscription, "enable">;
  events: Pick<EventStore, "during">;
  deliveries: Pick<DeliveryStore, "findIn" | "add" | "requeue">;
  queues: Pick<QueueStore, "touch">;
  clock: Clock;
  wakeWorkers(): void;
}

export interface RecoverCommand {
  tenant: string;
  subscriptionId: string;
  since: Date;
  /** Undefined for everything up to now. */
  until: Date | undefined;
}

export type Recover = (command: RecoverCommand) => Promise<{ recovered: number; isComplete: boolean }>;

const partSize = 250;
/** Most deliveries that one call restarts. */
const mostRecovered = 2_000;

/**
 * Enables the subscription and sends at once the events of a span of time that it missed, not before its registration:
 * including those while it was disabled and those that wait for another attempt. Throws WEBHOOK_NOT_FOUND.
 */
export function makeRecover(deps: RecoverDeps): Recover {
  const { subscriptions, switching, events, clock, wakeWorkers } = deps;
  const recoverPart = makeRecoverPart(deps);
  return async ({ tenant, subscriptionId, since, until }) => {
    const subscription = await subscriptions.find(tenant, subscriptionId);
    if (subscription === undefined) throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription");
    await switching.enable(subscription);
    const names = eventNames.filter((name) => registeredSpelling(subscription.events, name) !== undefined);
    const from = since < subscription.createdAt ? subscription.createdAt : since;
    const span = { names, since: from, until: until ?? clock.now() };
    let recovered = 0;
    let behind: SpanPlace | undefined;
    while (recovered < mostRecovered) {
      const part = await events.during(tenant, span, behind, partSize);
      recovered += await recoverPart(subscription, part.events);
      wakeWorkers();
      if (part.next === undefined) return { recovered, isComplete: true };
      behind = part.next;
    }
    return { recovered, isComplete: false };
  };
}

/** Restarts the undelivered deliveries of some events; returns their number. */
function makeRecoverPart({ transact, deliveries, queues, clock }: RecoverDeps) {
  return async (subscription: Subscription, events: readonly FeedEvent[]): Promise<number> => {
    if (events.length === 0) return 0;
    return transact(async (tx) => {
      const at = clock.now();
      const ids = events.map((event) => deliveryIdOf(event, subscription.id));
      const known = await deliveries.findIn(tx, ids);
      const knownIds = new Set(known.map(({ id }) => id));
      const again = known.filter(isHeldBack);
      const missing = events
        .filter((_event, index) => !knownIds.has(ids[index] ?? ""))
        .flatMap((event) => deliveryOf(event, subscription, at) ?? []);
      if (again.length + missing.length === 0) return 0;
      await deliveries.add(tx, missing);
      if (again.length > 0) await deliveries.requeue(tx, again, at);
      await queues.touch(tx, new Map([[subscription.id, at]]));
      return again.length + missing.length;
    });
  };
}

/** True when given up, or waiting for another attempt, which may be hours away. */
const isHeldBack = ({ state, failures }: Delivery): boolean =>
  state === "failed" || (state === "pending" && failures > 0);
