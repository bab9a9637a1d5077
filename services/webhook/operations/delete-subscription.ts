import { DomainError } from "../../shared/errors";
import type { SubscriptionStore } from "../store/subscription-store";

export type DeleteSubscription = (tenant: string, id: string) => Promise<void>;

/**
 * Ends a subscription. Its undelivered events are given up by the workers, which find the subscription gone. Throws
 * WEBHOOK_NOT_FOUND.
 */
export const makeDeleteSubscription =
  ({ subscriptions }: { subscriptions: Pick<SubscriptionStore, "remove"> }): DeleteSubscription =>
  async (tenant, id) => {
    const isRemoved = await subscriptions.remove(tenant, id);
    if (!isRemoved) throw new DomainError("WEBHOOK_NOT_FOUND", "no such webhook");
  };
