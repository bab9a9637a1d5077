import type { GetDeliveryRequest, GetDeliveryResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { DomainError } from "../../shared/errors";
import type { DeliveryStore } from "../store/delivery-store";
import { encodeDelivery, requireTenant } from "./codec";

export const getDeliveryHandler =
  (deliveries: Pick<DeliveryStore, "find">) =>
  async ({ tenant, subscriptionId, deliveryId }: GetDeliveryRequest): Promise<GetDeliveryResponse> => {
    const delivery = await deliveries.find(requireTenant(tenant), subscriptionId, deliveryId);
    if (delivery === undefined) throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such delivery");
    return { delivery: encodeDelivery(delivery) };
  };
