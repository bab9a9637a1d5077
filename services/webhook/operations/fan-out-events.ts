import type { Clock } from "../../shared/clock";
import type { Inbox } from "../../shared/inbox";
import type { Transact } from "../../shared/mongo";
import { deliveriesOf, laneIdOf } from "../domain/delivery";
import { isTold, type PlacedEvent, type Subject } from "../domain/event";
import type { DeliveryStore } from "../store/delivery-store";
import type { LaneStore } from "../store/lane-store";
import type { SubscriptionStore } from "../store/subscription-store";

export interface FanOutEventsDeps {
  transact: Transact;
  inbox: Pick<Inbox, "take">;
  subscriptions: Pick<SubscriptionStore, "listIn">;
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

export type FanOutEvents = (command: FanOutEventsCommand) => Promise<void>;

/**
 * Makes one delivery per event and subscription that wants it, once: repeats are dropped by the inbox. Throws
 * VERSION_CONFLICT when earlier events of the subject are missing.
 */
export const makeFanOutEvents =
  ({ transact, inbox, subscriptions, deliveries, lanes, clock, wakeWorkers }: FanOutEventsDeps): FanOutEvents =>
  async ({ stream, subject, events }) => {
    const made = await transact(async (tx) => {
      const fresh = (await inbox.take(tx, stream, subject.id, events)).filter(isTold);
      if (fresh.length === 0) return 0;
      const at = clock.now();
      const added = deliveriesOf(subject, fresh, await subscriptions.listIn(tx, subject.tenant), at);
      if (added.length === 0) return 0;
      await deliveries.add(tx, added, at);
      const ids = new Set(added.map(({ subscriptionId }) => subscriptionId));
      const touched = [...ids].map((subscriptionId) => ({
        id: laneIdOf(subscriptionId, subject.id),
        tenant: subject.tenant,
        subscriptionId,
      }));
      await lanes.touch(tx, touched, at);
      return added.length;
    });
    if (made > 0) wakeWorkers();
  };
