import type {
  ListSubscriptionsRequest,
  ListSubscriptionsResponse,
} from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import type { SubscriptionStore } from "../store/subscription-store";
import { encodeSubscription, requireTenant } from "./codec";

export const listSubscriptionsHandler =
  (subscriptions: Pick<SubscriptionStore, "list">) =>
  async ({ tenant }: ListSubscriptionsRequest): Promise<ListSubscriptionsResponse> => {
    const found = await subscriptions.list(requireTenant(tenant));
    return { subscriptions: found.map(encodeSubscription) };
  };
