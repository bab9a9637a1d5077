import type { Connection } from "mongoose";
import { type FreshDrafts, makeFreshMessages } from "../../shared/bus/fresh-messages";
import type { FreshMessages, OutboxMessage, OutboxSource } from "../../shared/bus/outbox";
import { beginningOfTime } from "../../shared/kernel/clock";
import { driverDb } from "../../shared/storage/mongo";
import { isFinal, type PaymentEvent } from "../domain/payment";
import type { PaymentRecord } from "./payment-record";

/** Unpublished events of one payment, in order, as one message. */
export interface PaymentMessage extends OutboxMessage {
  paymentId: string;
  /** Number of events that the payment had before those of this message, and has with them. */
  from: number;
  eventCount: number;
  /** Since when the payment has been waiting; the outbox is in this order. */
  waitingSince: Date;
  /** Time from the first event to the one that ended the payment, if the message contains that one. */
  endedAfterMs: number | undefined;
}

/** The payment or case that events belong to. */
export interface EventSubject {
  _id: string;
  tenant: string;
  externalId: string;
  agentId: string | undefined;
  externalTransactionId: string | undefined;
  traceparent: string;
}

/** Consecutive events of one subject. */
export interface EventsInOrder {
  subject: EventSubject;
  /** Number of events that the subject had before them. */
  from: number;
  events: readonly PaymentEvent[];
  endedAfterMs: number | undefined;
}

/** The fields that are read of a record with events. */
interface EventfulRecord extends EventSubject {
  published: number;
  relayDue: Date | undefined;
  lastEventAt: Date;
  events: PaymentEvent[];
}

/** Encodes events of a payment as the bytes that are published. */
export type EncodeEvents = (subject: EventSubject, events: readonly PaymentEvent[]) => Uint8Array;

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

/** Makes messages for a subject of the bus. */
const messagesOf =
  (busSubject: string, encode: EncodeEvents) =>
  ({ subject, from, events, endedAfterMs: afterMs }: EventsInOrder, times: MessageTimes): PaymentMessage => ({
    id: `${subject._id}:${from}-${from + events.length}`,
    subject: busSubject,
    payload: encode(subject, events),
    traceparent: subject.traceparent || undefined,
    paymentId: subject._id,
    from,
    eventCount: from + events.length,
    endedAfterMs: afterMs,
    ...times,
  });
type MessageTimes = Pick<PaymentMessage, "committedAt" | "waitingSince">;

/** Events of payments that this process has stored and that are not published yet. */
export type FreshEvents = FreshMessages<PaymentMessage> & FreshDrafts<EventsInOrder>;

export function makeFreshEvents(busSubject: string, encode: EncodeEvents): FreshEvents {
  const toMessage = messagesOf(busSubject, encode);
  return makeFreshMessages<EventsInOrder, PaymentMessage>({
    merge(earlier, later) {
      if (earlier.from + earlier.events.length !== later.from) return undefined;
      const endedAfterMs = earlier.endedAfterMs ?? later.endedAfterMs;
      return { ...earlier, events: [...earlier.events, ...later.events], endedAfterMs };
    },
    toMessage(draft) {
      const at = draft.events[0]?.occurredAt ?? beginningOfTime;
      return toMessage(draft, { committedAt: at, waitingSince: at });
    },
  });
}

export interface PaymentOutboxOptions {
  connection: Connection;
  /** The subject of the bus. */
  subject: string;
  encode: EncodeEvents;
  collection: "payments" | "cases";
  /** The events that are in memory. */
  fresh?: FreshEvents;
  /** Receives the duration of each payment that has ended, milliseconds; usually once. */
  onEnded?: (afterMs: number) => void;
}

/**
 * Makes an outbox of the events of payments, or of cases. The events are part of the payment's own document, so that they are stored
 * together with the state that caused them. Marking does nothing for a payment that has newer events by then, or whose earlier events are
 * not the published ones: all that is not marked is published again.
 */
export function makePaymentOutbox(options: PaymentOutboxOptions): OutboxSource<PaymentMessage> {
  const { connection, subject, encode, collection, fresh, onEnded = () => {} } = options;
  const payments = driverDb(connection).collection<PaymentRecord>(collection);
  const encoded = messagesOf(subject, encode);
  const spansOf = makeSpans();
  const toMessage = ({ events, relayDue, lastEventAt, ...payment }: EventfulRecord, from: number): PaymentMessage =>
    encoded(
      { subject: payment, from, events: events.slice(from), endedAfterMs: endedAfterMs(events, from) },
      { committedAt: lastEventAt, waitingSince: relayDue ?? lastEventAt },
    );
  return {
    ...(fresh === undefined ? {} : { fresh }),
    async pending(limit, after) {
      const filter = after === undefined ? { relayDue: { $gt: beginningOfTime } } : behind(after);
      const waiting = payments.find(filter, { projection }).sort({ relayDue: 1, _id: 1 }).limit(limit);
      const found = await waiting.toArray();
      return found.map((payment) => toMessage(payment, payment.published));
    },
    async markPublished(messages) {
      const updates = spansOf(messages).map(({ paymentId, from, eventCount }) => ({
        updateOne: {
          filter: { _id: paymentId, eventCount, published: { $gte: from } },
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

type Span = Pick<PaymentMessage, "paymentId" | "from" | "eventCount">;

/** The most payments whose published events are remembered. */
const mostRemembered = 5_000;

/**
 * Determines what is to be marked of each payment: what was published without a gap, including earlier messages whose mark came when
 * there were already newer events. After a gap, only the events behind it.
 */
function makeSpans(): (messages: readonly Span[]) => Span[] {
  const remembered = new Map<string, Span>();
  return (messages) => {
    const touched = new Map<string, Span>();
    for (const { paymentId, from, eventCount } of messages) {
      const before = remembered.get(paymentId);
      const isNext = before !== undefined && from <= before.eventCount && before.from <= eventCount;
      const span = {
        paymentId,
        from: isNext ? Math.min(from, before.from) : from,
        eventCount: isNext ? Math.max(eventCount, before.eventCount) : eventCount,
      };
      remembered.delete(paymentId);
      remembered.set(paymentId, span);
      touched.set(paymentId, span);
    }
    for (const paymentId of remembered.keys()) {
      if (remembered.size <= mostRemembered) break;
      remembered.delete(paymentId);
    }
    return [...touched.values()];
  };
}

/**
 * Returns the time to the payment's end. A payment ends with its first final state; money that is given back later belongs to another
 * request.
 */
function endedAfterMs(events: readonly PaymentEvent[], from: number): number | undefined {
  const [first] = events;
  const at = events.findIndex((event) => event.kind === "status" && isFinal(event.newStatus));
  const end = events[at];
  if (first === undefined || end === undefined || at < from) return undefined;
  return end.occurredAt.getTime() - first.occurredAt.getTime();
}

/** Selects what waits after a message, in the order of the outbox. */
const behind = ({ waitingSince, paymentId }: PaymentMessage): object => ({
  $or: [{ relayDue: { $gt: waitingSince } }, { relayDue: waitingSince, _id: { $gt: paymentId } }],
});
