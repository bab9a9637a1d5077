import type { FreshDrafts } from "../../shared/bus/fresh-messages";
import { type Change, isFinal, type Payment, type PaymentEvent } from "../domain/payment";
import type { EventsInOrder } from "./payment-outbox";

/** Receives stored events for publishing. */
export interface News extends FreshDrafts<EventsInOrder> {
  /** Reports that a payment has changed without an event. */
  touched?(id: string): void;
}

/** For stores whose events are not published from memory. */
export const noNews: News = { add() {}, doubt() {} };

/**
 * How long the events of a payment wait for those of its next step, milliseconds, when that step begins at once: a payment that goes
 * straight on is published in one message.
 */
const lingerMs = 50;

/** Queues events that have just been stored for publishing. `before` is undefined for a new payment. */
export function queueStoredEvents(news: News, before: Payment | undefined, { next, events }: Change): void {
  if (events.length === 0) {
    news.touched?.(next.id);
    return;
  }
  // Only the payment's document says when it ended for the first time.
  if (before !== undefined && !isFinal(before.state) && mayHaveEnded(before)) {
    news.doubt();
    return;
  }
  const { id: _id, tenant, externalId, agent, traceparent } = next;
  const { step, attempts } = next.execution;
  const told = {
    subject: {
      _id,
      tenant,
      externalId,
      agentId: agent?.id,
      externalTransactionId: agent?.externalTransactionId,
      traceparent,
    },
    from: next.eventCount - events.length,
    events,
    endedAfterMs: before !== undefined && isFinal(before.state) ? undefined : endedAfterMs(next.createdAt, events),
  };
  news.add(_id, told, step !== undefined && attempts === 0 ? lingerMs : 0);
}

/** True for a payment that gives or gave money back, perhaps after it was complete. */
const mayHaveEnded = ({ cameFrom, automaticReversed, pull, refunds }: Payment): boolean =>
  cameFrom !== undefined || automaticReversed || pull?.returnedAt !== undefined || refunds.length > 0;

function endedAfterMs(createdAt: Date, events: readonly PaymentEvent[]): number | undefined {
  const end = events.find((event) => event.kind === "status" && isFinal(event.newStatus));
  return end === undefined ? undefined : end.occurredAt.getTime() - createdAt.getTime();
}
