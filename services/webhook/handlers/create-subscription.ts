import type {
  CreateSubscriptionRequest,
  CreateSubscriptionResponse,
} from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import type { CreateSubscription } from "../operations/create-subscription";
import { encodeSubscription, requireTenant } from "./codec";

export const createSubscriptionHandler =
  (createSubscription: CreateSubscription) =>
  async ({ tenant, url, events, isBatch }: CreateSubscriptionRequest): Promise<CreateSubscriptionResponse> => {
    const subscription = await createSubscription({ tenant: requireTenant(tenant), url, events, isBatch });
    return { subscription: encodeSubscription(subscription) };
  };
