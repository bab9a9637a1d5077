import { SubscriptionEvents } from "../../../proto/gen/corridor/webhook/v1/subscription_events";
import type { SubscriptionChange } from "../domain/subscription-change";

/** The bytes of a message of subject corridor.webhook.subscriptions. */
export function encodeChange(change: SubscriptionChange): Uint8Array {
  const { tenant, subscriptionId, sequence, at, reason, requestId = "" } = change;
  const told =
    reason === undefined
      ? ({ $case: "enabled", value: {} } as const)
      : ({ $case: "disabled", value: { reason } } as const);
  return SubscriptionEvents.encode({
    tenant,
    subscriptionId,
    events: [{ sequence, occurredAt: at, requestId, change: told }],
  }).finish();
}
