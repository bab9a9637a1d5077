import type { Connection } from "mongoose";
import { subscriptionsChanged } from "../../shared/bus/bus-users";
import type { Bus } from "../../shared/bus/jetstream";
import { type KnownSubscriptions, makeKnownSubscriptions } from "../operations/known-subscriptions";
import { makeSubscriptionStore, type SubscriptionStore } from "../store/subscription-store";

export interface Subscriptions {
  subscriptions: SubscriptionStore;
  known: KnownSubscriptions;
  /** Makes this and all other replicas read a tenant's subscriptions again. */
  noteChange(tenant: string): void;
}

/** Opens the subscriptions in the store and in memory. `self` names this process among the replicas. */
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
    // On a new connection any signal may have been missed.
    if (from === "") known.forgetAll();
    else if (from !== self) known.forget(tenant.join(" "));
  });
  return { subscriptions, known, noteChange };
}
