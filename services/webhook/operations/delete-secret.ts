import { DomainError } from "../../shared/kernel/errors";
import type { SubscriptionStore } from "../store/subscription-store";

export type DeleteSecret = (tenant: string, id: string) => Promise<void>;

/** Makes later deliveries unsigned. Throws WEBHOOK_NOT_FOUND. */
export const makeDeleteSecret =
  ({ subscriptions }: { subscriptions: Pick<SubscriptionStore, "setSecret"> }): DeleteSecret =>
  async (tenant, id) => {
    const isSet = await subscriptions.setSecret(tenant, id, undefined);
    if (!isSet) throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription");
  };
