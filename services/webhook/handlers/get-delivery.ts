import type { GetDeliveryRequest, GetDeliveryResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { DomainError } from "../../shared/kernel/errors";
import type { DeliveryStore } from "../store/delivery-store";
import type { SubscriptionStore } from "../store/subscription-store";
import { encodeDelivery, requireTenant } from "./codec";

export interface GetDeliveryDeps {
  subscriptions: Pick<SubscriptionStore, "find">;
  deliveries: Pick<DeliveryStore, "find">;
}

export const getDeliveryHandler =
  ({ subscriptions, deliveries }: GetDeliveryDeps) =>
  async ({ tenant, subscriptionId, deliveryId }: GetDeliveryRequest): Promise<GetDeliveryResponse> => {
    const subscription = await subscriptions.find(requireTenant(tenant), subscriptionId);
    const delivery = subscription && (await deliveries.find(tenant, subscriptionId, deliveryId));
    if (delivery === undefined) throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such delivery");
    return { delivery: encodeDelivery(delivery) };
  };
