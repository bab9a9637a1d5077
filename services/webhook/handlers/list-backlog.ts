import type { ListBacklogRequest, ListBacklogResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import type { DeliveryStore } from "../store/delivery-store";
import type { QueueStore } from "../store/queue-store";
import type { SubscriptionStore } from "../store/subscription-store";
import { requireLimit } from "./codec";

export interface ListBacklogDeps {
  queues: Pick<QueueStore, "list">;
  deliveries: Pick<DeliveryStore, "waiting">;
  subscriptions: Pick<SubscriptionStore, "findEach">;
}

/** Deliveries are counted up to this number. */
const mostCounted = 100;

/** Reads straight from the stores: there is nothing to decide. */
export const listBacklogHandler =
  ({ queues, deliveries, subscriptions }: ListBacklogDeps) =>
  async ({ limit }: ListBacklogRequest): Promise<ListBacklogResponse> => {
    const open = await queues.list(requireLimit(limit));
    const known = await subscriptions.findEach(open.map(({ id }) => id));
    const backlogs = await Promise.all(
      open.map(async ({ id: subscriptionId, dueAt }) => {
        const { count: waiting, oldestAt } = await deliveries.waiting(subscriptionId, mostCounted);
        const { tenant = "", health, disabled } = known.get(subscriptionId) ?? {};
        const { failures = 0, pausedUntil } = health ?? {};
        return { tenant, subscriptionId, waiting, oldestAt, dueAt, failures, pausedUntil, disabledAt: disabled?.at };
      }),
    );
    // A queue is about to be closed when all its deliveries have ended.
    return { backlogs: backlogs.filter(({ waiting }) => waiting > 0) };
  };
