import {
  type Delivery as DeliveryMessage,
  DeliveryState as DeliveryStateMessage,
  type Subscription as SubscriptionMessage,
} from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { invalid } from "../../shared/kernel/errors";
import type { Delivery, DeliveryState, LoggedAttempt } from "../domain/delivery";
import { signatureVersion } from "../domain/secret";
import type { Subscription } from "../domain/subscription";

export function requireTenant(tenant: string): string {
  if (tenant === "") throw invalid([{ field: "tenant", message: "is required" }]);
  return tenant;
}

const maxPage = 200;

export function requireLimit(limit: number): number {
  if (limit < 1 || limit > maxPage) throw invalid([{ field: "limit", message: `must be from 1 to ${maxPage}` }]);
  return limit;
}

export const encodeSubscription = (subscription: Subscription): SubscriptionMessage => {
  const { id, url, events, isBatch, createdAt, secret, disabled } = subscription;
  return {
    id,
    url,
    events: [...events],
    isBatch,
    createdAt,
    signatureVersion: secret === undefined ? undefined : signatureVersion,
    secretFingerprint: secret?.fingerprint,
    secretRotatedAt: secret?.rotatedAt,
    publicKey: secret?.publicKey,
    disabledAt: disabled?.at,
    disabledReason: disabled?.reason ?? "",
  };
};

const states: Record<DeliveryState, DeliveryStateMessage> = {
  pending: DeliveryStateMessage.PENDING,
  delivered: DeliveryStateMessage.DELIVERED,
  failed: DeliveryStateMessage.FAILED,
};

export const decodeState = (message: DeliveryStateMessage): DeliveryState | undefined =>
  (["pending", "delivered", "failed"] as const).find((state) => states[state] === message);

export const encodeDelivery = (delivery: Delivery): DeliveryMessage => ({
  id: delivery.id,
  subscriptionId: delivery.subscriptionId,
  eventId: delivery.eventId,
  event: delivery.event,
  subjectId: delivery.subjectId,
  sequence: delivery.sequence,
  state: states[delivery.state],
  attempts: delivery.attempts,
  occurredAt: delivery.occurredAt,
  createdAt: delivery.createdAt,
  nextAttemptAt: delivery.state === "pending" ? delivery.nextAttemptAt : undefined,
  endedAt: delivery.endedAt,
  lastStatus: delivery.lastStatus,
  batchId: delivery.batchId,
  body: delivery.body,
  log: delivery.log.map(encodeAttempt),
});

const encodeAttempt = ({ number, at, status, durationMs, failure }: LoggedAttempt) => ({
  number,
  at,
  status,
  durationMs: Math.round(durationMs),
  failure: failure ?? "",
});
