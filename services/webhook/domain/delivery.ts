import { derivedUuid } from "../../shared/ids";
import { bodyOf, type Subject, type ToldEvent } from "./event";
import { registeredSpelling } from "./event-names";
import type { Waiting } from "./lane";
import type { Subscription } from "./subscription";

/** One event on its way to one subscription. */
export interface Delivery extends Waiting {
  id: string;
  tenant: string;
  subscriptionId: string;
  laneId: string;
  eventId: string;
  /** The very characters that every attempt sends. */
  body: string;
  traceparent: string | undefined;
  occurredAt: Date;
}

/** How a delivery ended: acknowledged, or given up. */
export type DeliveryEnd = "delivered" | "abandoned";

/** The lane of one subscription and one subject. */
export const laneIdOf = (subscriptionId: string, subjectId: string): string => `${subscriptionId}/${subjectId}`;

/** The deliveries that events of one subject cause: one for each subscription that wants the event and is not disabled. */
export function deliveriesOf(
  subject: Subject,
  events: readonly ToldEvent[],
  subscriptions: readonly Subscription[],
  at: Date,
): Delivery[] {
  const live = subscriptions.filter(({ disabledAt }) => disabledAt === undefined);
  return live.flatMap(({ id: subscriptionId, events: registered }) =>
    events.flatMap((event) => {
      const spelling = registeredSpelling(registered, event.telling.name);
      if (spelling === undefined) return [];
      return {
        id: derivedUuid("delivery", event.id, subscriptionId),
        tenant: subject.tenant,
        subscriptionId,
        laneId: laneIdOf(subscriptionId, subject.id),
        eventId: event.id,
        sequence: event.sequence,
        body: bodyOf(spelling, event.telling),
        traceparent: event.traceparent,
        occurredAt: event.occurredAt,
        attempts: 0,
        nextAttemptAt: at,
      };
    }),
  );
}
