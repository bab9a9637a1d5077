import type { Connection } from "mongoose";
import type { OutboxMessage, OutboxSource } from "../../shared/bus/outbox";
import { beginningOfTime } from "../../shared/kernel/clock";
import { driverDb } from "../../shared/storage/mongo";
import { isFinal, type PaymentEvent } from "../domain/payment";
import type { PaymentRecord } from "./payment-record";

/** Unpublished events of one payment, in order, as one message. */
export interface PaymentMessage extends OutboxMessage {
  paymentId: string;
  /** How many events the payment had when this message was made. */
  eventCount: number;
  /** Since when the payment waits; the order of the outbox. */
  waitingSince: Date;
  /** Time from the first event to the one that ended the payment, when that is among those of the message. */
  endedAfterMs: number | undefined;
}

/** What an event message is made from. */
export interface EventfulPayment {
  _id: string;
  tenant: string;
  externalId: string;
  agentId: string | undefined;
  externalTransactionId: string | undefined;
  traceparent: string;
  published: number;
  relayDue: Date | undefined;
  lastEventAt: Date;
  events: PaymentEvent[];
}

/** Turns events of a payment, from the given position on, into the bytes that are published. */
export type EncodeEvents = (payment: EventfulPayment, from: number) => Uint8Array;

const projection = {
  tenant: 1,
  externalId: 1,
  agentId: 1,
  externalTransactionId: 1,
  traceparent: 1,
  published: 1,
  relayDue: 1,
  lastEventAt: 1,
  events: 1,
} as const;

/**
 * The events of payments, or of cases, as an outbox: they live in the payment's own document, so that they were stored with the
 * state that caused them. Marking a payment that has got newer events meanwhile does nothing: it is published again. `onEnded`
 * hears of each payment that has ended, usually once.
 */
export function makePaymentOutbox(
  connection: Connection,
  subject: string,
  encode: EncodeEvents,
  collection: "payments" | "cases" = "payments",
  onEnded: (afterMs: number) => void = () => {},
): OutboxSource<PaymentMessage> {
  const payments = driverDb(connection).collection<PaymentRecord>(collection);
  const toMessage = (payment: EventfulPayment, from: number): PaymentMessage => ({
    id: `${payment._id}:${from}-${payment.events.length}`,
    subject,
    payload: encode(payment, from),
    traceparent: payment.traceparent || undefined,
    committedAt: payment.lastEventAt,
    paymentId: payment._id,
    eventCount: payment.events.length,
    waitingSince: payment.relayDue ?? payment.lastEventAt,
    endedAfterMs: endedAfterMs(payment.events, from),
  });
  return {
    async pending(limit, after) {
      const filter = after === undefined ? { relayDue: { $gt: beginningOfTime } } : behind(after);
      const waiting = payments.find(filter, { projection }).sort({ relayDue: 1, _id: 1 }).limit(limit);
      const found = await waiting.toArray();
      return found.map((payment) => toMessage(payment, payment.published));
    },
    async markPublished(messages) {
      const updates = messages.map(({ paymentId, eventCount }) => ({
        updateOne: {
          filter: { _id: paymentId, eventCount },
          update: { $set: { published: eventCount }, $unset: { relayDue: "" as const } },
        },
      }));
      if (updates.length > 0) await payments.bulkWrite(updates, { ordered: false });
      for (const { endedAfterMs: afterMs } of messages) if (afterMs !== undefined) onEnded(afterMs);
    },
    async *since(from) {
      const all = payments.find({ lastEventAt: { $gte: from } }, { projection }).sort({ lastEventAt: 1 });
      for await (const payment of all) yield toMessage(payment, 0);
    },
  };
}

/** A payment ends with its first final state; what is given back later belongs to another wish. */
function endedAfterMs(events: readonly PaymentEvent[], from: number): number | undefined {
  const [first] = events;
  const at = events.findIndex((event) => event.kind === "status" && isFinal(event.newStatus));
  const end = events[at];
  if (first === undefined || end === undefined || at < from) return undefined;
  return end.occurredAt.getTime() - first.occurredAt.getTime();
}

/** What waits behind a message, in the order of the outbox. */
const behind = ({ waitingSince, paymentId }: PaymentMessage): object => ({
  $or: [{ relayDue: { $gt: waitingSince } }, { relayDue: waitingSince, _id: { $gt: paymentId } }],
});
