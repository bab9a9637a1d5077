import type { RedeliverRequest, RedeliverResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import type { Redeliver } from "../operations/redeliver";
import { encodeDelivery, requireTenant } from "./codec";

export const redeliverHandler =
  (redeliver: Redeliver) =>
  async ({ tenant, subscriptionId, deliveryId }: RedeliverRequest): Promise<RedeliverResponse> => ({
    delivery: encodeDelivery(await redeliver(requireTenant(tenant), subscriptionId, deliveryId)),
  });
