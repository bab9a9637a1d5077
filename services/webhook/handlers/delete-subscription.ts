import type {
  DeleteSubscriptionRequest,
  DeleteSubscriptionResponse,
} from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import type { DeleteSubscription } from "../operations/delete-subscription";
import { requireTenant } from "./codec";

export const deleteSubscriptionHandler =
  (deleteSubscription: DeleteSubscription) =>
  async ({ tenant, subscriptionId }: DeleteSubscriptionRequest): Promise<DeleteSubscriptionResponse> => {
    await deleteSubscription(requireTenant(tenant), subscriptionId);
    return {};
  };
