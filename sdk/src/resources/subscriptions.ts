import type { Call } from "../call.ts";
import type { Api, WebhookRecovery, WebhookSubscriptionRequest } from "../gen/api.ts";
import type { CallOptions } from "../options.ts";
import { listOf } from "./list.ts";

type DeliveryQuery = Omit<NonNullable<Api["GET /organizations/{tenant}/deliveries"]["query"]>, "after">;

/** Subscriptions to events, and their deliveries. */
export const makeSubscriptions = (call: Call) => ({
  create: (body: WebhookSubscriptionRequest, options?: CallOptions) =>
    call("POST /organizations/{tenant}/webhooks", { body }, options),
  list: async (options?: CallOptions) => (await call("GET /organizations/{tenant}/webhooks", {}, options)).webhooks,
  delete: (webhookId: string, options?: CallOptions) =>
    call("DELETE /organizations/{tenant}/webhooks/{webhookId}", { params: { webhookId } }, options),
  /** Makes a new signing secret and returns it, only this once. */
  rotateSecret: (webhookId: string, options?: CallOptions) =>
    call("POST /organizations/{tenant}/webhooks/{webhookId}/secret", { params: { webhookId } }, options),
  dropSecret: (webhookId: string, options?: CallOptions) =>
    call("DELETE /organizations/{tenant}/webhooks/{webhookId}/secret", { params: { webhookId } }, options),
  /** Deliveries of all subscriptions, newest first. */
  deliveries: (query: DeliveryQuery = {}, options?: CallOptions) =>
    listOf(call, "GET /organizations/{tenant}/deliveries", "deliveries", { query }, options),
  deliveriesOf: (webhookId: string, query: Omit<DeliveryQuery, "subject"> = {}, options?: CallOptions) =>
    listOf(
      call,
      "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries",
      "deliveries",
      { params: { webhookId }, query },
      options,
    ),
  delivery: (webhookId: string, deliveryId: string, options?: CallOptions) =>
    call(
      "GET /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}",
      { params: { webhookId, deliveryId } },
      options,
    ),
  redeliver: (webhookId: string, deliveryId: string, options?: CallOptions) =>
    call(
      "POST /organizations/{tenant}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver",
      { params: { webhookId, deliveryId } },
      options,
    ),
  /** Sends at once everything from a span of time that was not delivered. */
  recover: (webhookId: string, body: WebhookRecovery, options?: CallOptions) =>
    call("POST /organizations/{tenant}/webhooks/{webhookId}/recover", { params: { webhookId }, body }, options),
  /** Sends a test event once. */
  test: (webhookId: string, options?: CallOptions) =>
    call("POST /organizations/{tenant}/webhooks/{webhookId}/test", { params: { webhookId } }, options),
});
