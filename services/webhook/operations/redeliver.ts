import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Transact } from "../../shared/storage/mongo";
import type { Delivery } from "../domain/delivery";
import type { DeliveryStore } from "../store/delivery-store";
import type { QueueStore } from "../store/queue-store";
import type { SubscriptionStore } from "../store/subscription-store";
import type { SwitchSubscription } from "./switch-subscription";

export interface RedeliverDeps {
  transact: Transact;
  subscriptions: Pick<SubscriptionStore, "find">;
  switching: Pick<SwitchSubscription, "enable">;
  deliveries: Pick<DeliveryStore, "find" | "requeue">;
  queues: Pick<QueueStore, "touch">;
  clock: Clock;
  wakeWorkers(): void;
}

export type Redeliver = (tenant: string, subscriptionId: string, id: string) => Promise<Delivery>;

/** Restarts a delivery, whatever its state, and enables its subscription. Throws WEBHOOK_NOT_FOUND. */
export const makeRedeliver =
  ({ transact, subscriptions, switching, deliveries, queues, clock, wakeWorkers }: RedeliverDeps): Redeliver =>
  async (tenant, subscriptionId, id) => {
    const subscription = await subscriptions.find(tenant, subscriptionId);
    const delivery = await deliveries.find(tenant, subscriptionId, id);
    if (subscription === undefined || delivery === undefined) {
      throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such delivery");
    }
    await switching.enable(subscription);
    const at = clock.now();
    await transact(async (tx) => {
      await deliveries.requeue(tx, [delivery], at);
      await queues.touch(tx, new Map([[subscriptionId, at]]));
    });
    wakeWorkers();
    return { ...delivery, state: "pending", failures: 0, nextAttemptAt: at, endedAt: undefined };
  };
