import type { Clock } from "../../shared/kernel/clock";
import { currentCall } from "../../shared/process/call-context";
import type { Transact, Tx } from "../../shared/storage/mongo";
import type { Disabled, Subscription } from "../domain/subscription";
import type { ChangeStore } from "../store/change-store";
import type { SubscriptionStore, Switched } from "../store/subscription-store";

export interface SwitchSubscriptionDeps {
  transact: Transact;
  subscriptions: Pick<SubscriptionStore, "disable" | "enable">;
  changes: Pick<ChangeStore, "add">;
  clock: Clock;
  /** Called with a tenant when its subscriptions have changed. */
  noteChange(tenant: string): void;
  /** Wakes the relay because a change waits to be published. */
  nudgeRelay(): void;
}

/** Disables and enables subscriptions. Each change is stored in one transaction with its event. */
export interface SwitchSubscription {
  /** Returns false when it is already disabled or gone. */
  disable(id: string, disabled: Disabled): Promise<boolean>;
  /** Lets attempts resume as if none had failed. Does nothing when it is enabled. */
  enable(subscription: Subscription): Promise<void>;
}

export function makeSwitchSubscription(deps: SwitchSubscriptionDeps): SwitchSubscription {
  const { transact, subscriptions, changes, clock, noteChange, nudgeRelay } = deps;
  const change = async (
    subscriptionId: string,
    why: { at: Date; reason: Disabled["reason"] | undefined },
    apply: (tx: Tx) => Promise<Switched | undefined>,
  ): Promise<boolean> => {
    const call = currentCall();
    const { requestId, traceparent } = { requestId: undefined, traceparent: undefined, ...call };
    const switched = await transact(async (tx) => {
      const changed = await apply(tx);
      if (changed !== undefined) await changes.add(tx, { subscriptionId, ...changed, ...why, requestId, traceparent });
      return changed;
    });
    if (switched === undefined) return false;
    noteChange(switched.tenant);
    nudgeRelay();
    return true;
  };
  return {
    disable: (id, disabled) => change(id, disabled, (tx) => subscriptions.disable(tx, id, disabled)),
    async enable({ id, disabled }) {
      if (disabled === undefined) return;
      await change(id, { at: clock.now(), reason: undefined }, (tx) => subscriptions.enable(tx, id));
    },
  };
}
