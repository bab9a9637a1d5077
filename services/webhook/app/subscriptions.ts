import type { Connection } from "mongoose";
import { subscriptionsChanged } from "../../shared/bus/bus-users";
import type { Bus } from "../../shared/bus/jetstream";
import { type KnownSubscriptions, makeKnownSubscriptions } from "../operations/known-subscriptions";
import { makeSubscriptionStore, type SubscriptionStore } from "../store/subscription-store";

export interface Subscriptions {
  subscriptions: SubscriptionStore;
  known: KnownSubscriptions;
  /** Has what is known of a tenant's subscriptions read again, here and by the other replicas. */
  noteChange(tenant: string): void;
}

/** The subscriptions in the store and in memory. `self` is the name of this process among the replicas. */
export function openSubscriptions(
  connection: Connection,
  bus: Pick<Bus, "signal" | "onSignal">,
  self: string,
  nowMs?: () => number,
): Subscriptions {
  const noteChange = (tenant: string): void => {
    known.forget(tenant);
    bus.signal(subscriptionsChanged, `${self} ${tenant}`);
  };
  const subscriptions = makeSubscriptionStore(connection, noteChange);
  const known = makeKnownSubscriptions(subscriptions, nowMs);
  bus.onSignal(subscriptionsChanged, (text) => {
    const [from = "", ...tenant] = text.split(" ");
    // A new connection: anything may have been said meanwhile.
    if (from === "") known.forgetAll();
    else if (from !== self) known.forget(tenant.join(" "));
  });
  return { subscriptions, known, noteChange };
}
