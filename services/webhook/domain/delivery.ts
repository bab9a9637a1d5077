import { plusMs } from "../../shared/kernel/clock";
import { derivedUuidAt } from "../../shared/kernel/ids";
import { bodyOf, type FeedEvent } from "./event";
import { registeredSpelling } from "./event-names";
import type { Waiting } from "./lane";
import type { Subscription } from "./subscription";

/** State of a delivery: under way, acknowledged, or given up. */
export const deliveryStates = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export type DeliveryEnd = Exclude<DeliveryState, "pending">;

/** One event on its way to one subscription. */
export interface Delivery extends Waiting {
  id: string;
  tenant: string;
  subscriptionId: string;
  laneId: string;
  /** The event's position in its tenant's feed; the order of the lane. */
  position: number;
  eventId: string;
  /** Name of the event as the subscription registered it. */
  event: string;
  subjectId: string;
  sequence: number;
  /** The exact text that every attempt sends. */
  body: string;
  traceparent: string | undefined;
  occurredAt: Date;
  createdAt: Date;
  state: DeliveryState;
  /** Attempts made so far. */
  attempts: number;
  lastStatus: number | undefined;
  endedAt: Date | undefined;
  /** The batch that it joins at its first attempt, when its subscription wants batches. */
  batchId: string | undefined;
  /** True for a test event: a single attempt, whatever the state of the subscription. */
  isTest: boolean;
  log: readonly LoggedAttempt[];
}

export interface DeliveryFilter {
  tenant: string;
  subscriptionId: string | undefined;
  subjectId: string | undefined;
  state: DeliveryState | undefined;
}

/** A place in a list of deliveries. */
export interface DeliveryPlace {
  createdAt: Date;
  id: string;
}

/** The order of lists. */
export const newestFirst = (one: DeliveryPlace, other: DeliveryPlace): number =>
  other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);

/** True for a delivery that comes after a place in a list. */
export const isBehind = (one: DeliveryPlace, place: DeliveryPlace): boolean =>
  one.createdAt < place.createdAt || (one.createdAt.getTime() === place.createdAt.getTime() && one.id < place.id);

/** Why an attempt got no answer. */
export const attemptFailures = ["timeout", "connection", "address refused"] as const;
export type AttemptFailure = (typeof attemptFailures)[number];

export interface LoggedAttempt {
  number: number;
  at: Date;
  status: number | undefined;
  durationMs: number;
  failure: AttemptFailure | undefined;
}

const batchLane = "/batch";

/** When an attempt ended. */
export const endOf = ({ at, durationMs }: LoggedAttempt): Date => plusMs(at, durationMs);

/** The lane of a delivery: one for each subject, or a single one where events come in batches. */
export const laneIdOf = ({ id, isBatch }: Pick<Subscription, "id" | "isBatch">, subjectId: string): string =>
  isBatch ? `${id}${batchLane}` : `${id}/${subjectId}`;

/** True for the lane of a subscription that wants batches. */
export const isBatchLane = (laneId: string): boolean => laneId.endsWith(batchLane);

/** The delivery of an event to a subscription; undefined when the subscription does not want it. */
export function deliveryOf(event: FeedEvent, subscription: Subscription, at: Date): Delivery | undefined {
  const { subject, notification } = event;
  const spelling = registeredSpelling(subscription.events, notification.name);
  if (spelling === undefined) return undefined;
  return {
    ...freshDelivery(subscription, at),
    id: deliveryIdOf(event, subscription.id),
    laneId: laneIdOf(subscription, subject.id),
    position: event.position,
    eventId: event.id,
    event: spelling,
    subjectId: subject.id,
    sequence: event.sequence,
    body: bodyOf(spelling, notification.fields),
    traceparent: event.traceparent,
    occurredAt: event.occurredAt,
  };
}

/** Derives the id of a delivery: one event has one delivery per subscription. */
export const deliveryIdOf = (
  { id, occurredAt }: Pick<FeedEvent, "id" | "occurredAt">,
  subscriptionId: string,
): string => derivedUuidAt(occurredAt, "delivery", id, subscriptionId);

/** The delivery of a test event. It has a lane of its own, so that nothing waits for it. */
export function testDelivery(subscription: Subscription, id: string, at: Date): Delivery {
  const event = "WebhookTest";
  const fields = { event, webhookId: subscription.id, tenantId: subscription.tenant, version: 1 };
  return {
    ...freshDelivery(subscription, at),
    id,
    laneId: `${subscription.id}/test/${id}`,
    position: 0,
    eventId: id,
    event,
    subjectId: subscription.id,
    sequence: 1,
    body: JSON.stringify(fields),
    traceparent: undefined,
    occurredAt: at,
    isTest: true,
  };
}

const freshDelivery = ({ id, tenant }: Subscription, at: Date) => ({
  tenant,
  subscriptionId: id,
  createdAt: at,
  state: "pending" as const,
  failures: 0,
  nextAttemptAt: at,
  attempts: 0,
  lastStatus: undefined,
  endedAt: undefined,
  batchId: undefined,
  isTest: false,
  log: [],
});
