import type { Clock } from "../../shared/kernel/clock";
import { DomainError } from "../../shared/kernel/errors";
import type { Ids } from "../../shared/kernel/ids";
import type { Transact } from "../../shared/storage/mongo";
import { type Delivery, testDelivery } from "../domain/delivery";
import type { DeliveryStore } from "../store/delivery-store";
import type { QueueStore } from "../store/queue-store";
import type { SubscriptionStore } from "../store/subscription-store";

export interface SendTestDeps {
  transact: Transact;
  subscriptions: Pick<SubscriptionStore, "find">;
  deliveries: Pick<DeliveryStore, "add">;
  queues: Pick<QueueStore, "touch">;
  clock: Clock;
  ids: Pick<Ids, "uuid">;
  wakeWorkers(): void;
}

export type SendTest = (tenant: string, subscriptionId: string) => Promise<Delivery>;

/** Creates the delivery of a test event, which the workers send at once. Throws WEBHOOK_NOT_FOUND. */
export const makeSendTest =
  ({ transact, subscriptions, deliveries, queues, clock, ids, wakeWorkers }: SendTestDeps): SendTest =>
  async (tenant, subscriptionId) => {
    const subscription = await subscriptions.find(tenant, subscriptionId);
    if (subscription === undefined) throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription");
    const at = clock.now();
    const delivery = testDelivery(subscription, ids.uuid(), at);
    await transact(async (tx) => {
      await deliveries.add(tx, [delivery]);
      await queues.touch(tx, new Map([[subscriptionId, at]]));
    });
    wakeWorkers();
    return delivery;
  };
