import type {
  CreateSubscriptionRequest,
  CreateSubscriptionResponse,
} from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import type { CreateSubscription } from "../operations/create-subscription";
import { encodeSubscription, requireTenant } from "./codec";

export const createSubscriptionHandler =
  (createSubscription: CreateSubscription) =>
  async (request: CreateSubscriptionRequest): Promise<CreateSubscriptionResponse> => {
    const { tenant, url, events, isBatch, isBatchMalformed = false } = request;
    const command = { tenant: requireTenant(tenant), url, events, isBatch, isBatchMalformed };
    return { subscription: encodeSubscription(await createSubscription(command)) };
  };
