import { type SubscriptionEvent, SubscriptionEvents } from "../../../proto/gen/corridor/webhook/v1/subscription_events";
import type { AuditEntry } from "../domain/audit-chain";
import type { ReportedEntries } from "../operations/record-reported";

/** Reads a message of subject corridor.webhook.subscriptions. Throws when it lacks the subscription or has no events. */
export function decodeSubscriptionEvents(payload: Uint8Array): Omit<ReportedEntries, "stream"> {
  const { tenant, subscriptionId, events } = SubscriptionEvents.decode(payload);
  if (tenant === "" || subscriptionId === "" || events.length === 0) {
    throw new Error("the message has no subscription or no events");
  }
  return {
    subjectId: subscriptionId,
    entries: events.map((event) => ({ sequence: event.sequence, entry: toEntry(tenant, subscriptionId, event) })),
  };
}

function toEntry(tenant: string, subscriptionId: string, event: SubscriptionEvent): AuditEntry {
  const { occurredAt: at, requestId, change } = event;
  if (at === undefined || change === undefined) throw new Error("an event lacks its time or change");
  const isDisabled = change.$case === "disabled";
  return {
    at,
    actor: isDisabled ? "service:webhook" : `tenant:${tenant}`,
    tenant,
    action: isDisabled ? `disable webhook: ${change.value.reason}` : "enable webhook",
    object: `webhookId=${subscriptionId}`,
    outcome: "done",
    requestId,
    address: "",
    count: 1,
    session: "",
  };
}
