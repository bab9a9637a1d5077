import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { DeliveryStore } from "../store/delivery-store";
import type { QueueStore } from "../store/queue-store";
import type { SubscriptionStore } from "../store/subscription-store";

export interface DeleteSubscriptionDeps {
  subscriptions: Pick<SubscriptionStore, "remove">;
  deliveries: Pick<DeliveryStore, "abandon">;
  queues: Pick<QueueStore, "hasten">;
  clock: Clock;
}

export type DeleteSubscription = (tenant: string, id: string) => Promise<void>;

/**
 * Ends a subscription and gives up its undelivered events. The workers give up those that are added meanwhile or left by
 * a crash, once they find the subscription gone. Throws WEBHOOK_NOT_FOUND.
 */
export const makeDeleteSubscription =
  ({ subscriptions, deliveries, queues, clock }: DeleteSubscriptionDeps): DeleteSubscription =>
  async (tenant, id) => {
    const isRemoved = await subscriptions.remove(tenant, id);
    if (!isRemoved) throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription");
    const at = clock.now();
    await deliveries.abandon(id, at, "all");
    await queues.hasten(id, at);
  };
