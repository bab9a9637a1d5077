import type { Subscription } from "../domain/subscription";
import type { SubscriptionStore } from "../store/subscription-store";
import { grouped } from "./grouped";

/** Reads a subscription as it is after the question, never before it; questions that come together share one read. */
export type FindNow = (id: string) => Promise<Subscription | undefined>;

const largestGroup = 256;

export function makeFindNow(subscriptions: Pick<SubscriptionStore, "findAll">): FindNow {
  return grouped(async (ids) => {
    const found = await subscriptions.findAll([...new Set(ids)]);
    const byId = new Map(found.map((subscription) => [subscription.id, subscription]));
    return ids.map((id) => ({ value: byId.get(id) }));
  }, largestGroup);
}
