import { derivedUuid } from "../../shared/ids";
import { registeredSpelling } from "./event-names";
import type { Waiting } from "./lane";
import type { Subscription } from "./subscription";
import { deliveryBody, eventNameOf, type TransactionEvent, type TransactionRef } from "./transaction-event";

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

/** The lane of one subscription and one transaction. */
export const laneIdOf = (subscriptionId: string, transactionId: string): string => `${subscriptionId}/${transactionId}`;

/** The deliveries that events of one transaction cause: one for each subscription that wants the event and is not disabled. */
export function deliveriesOf(
  transaction: TransactionRef,
  events: readonly TransactionEvent[],
  subscriptions: readonly Subscription[],
  at: Date,
): Delivery[] {
  const live = subscriptions.filter(({ disabledAt }) => disabledAt === undefined);
  return live.flatMap(({ id: subscriptionId, events: registered }) =>
    events.flatMap((event) => {
      const spelling = registeredSpelling(registered, eventNameOf(event));
      if (spelling === undefined) return [];
      return {
        id: derivedUuid("delivery", event.id, subscriptionId),
        tenant: transaction.tenant,
        subscriptionId,
        laneId: laneIdOf(subscriptionId, transaction.transactionId),
        eventId: event.id,
        sequence: event.sequence,
        body: deliveryBody(spelling, transaction, event),
        traceparent: event.traceparent,
        occurredAt: event.occurredAt,
        attempts: 0,
        nextAttemptAt: at,
      };
    }),
  );
}
