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
  /** How many events the payment had before those of this message, and has with them. */
  from: number;
  eventCount: number;
  /** Since when the payment waits; the order of the outbox. */
  waitingSince: Date;
  /** Time from the first event to the one that ended the payment, when that is among those of the message. */
  endedAfterMs: number | undefined;
}

/** Whose events they are. */
export interface EventSubject {
  _id: string;
  tenant: string;
  externalId: string;
  agentId: string | undefined;
  externalTransactionId: string | undefined;
  traceparent: string;
}

/** Events of one subject that follow each other. */
export interface EventsInOrder {
  subject: EventSubject;
  /** How many the subject had before them. */
  from: number;
  events: readonly PaymentEvent[];
  endedAfterMs: number | undefined;
}

/** What is read of a record with events. */
interface EventfulRecord extends EventSubject {
  published: number;
  relayDue: Date | undefined;
  lastEventAt: Date;
  events: PaymentEvent[];
}

/** Turns events of a payment into the bytes that are published. */
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

/** Makes messages of a subject of the bus. */
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

/** Events of payments that this process has stored, until they are published. */
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
  /** Of the bus. */
  subject: string;
  encode: EncodeEvents;
  collection: "payments" | "cases";
  /** What of it is in memory. */
  fresh?: FreshEvents;
  /** Is called with each payment that has ended, usually once. */
  onEnded?: (afterMs: number) => void;
}

/**
 * The events of payments, or of cases, as an outbox: they live in the payment's own document, so that they were stored with the
 * state that caused them. Marking a payment that has got newer events meanwhile, or others before those that were published, does
 * nothing: all that is not marked is published again.
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

/** Most payments of which it is remembered what was published. */
const mostRemembered = 5_000;

/**
 * What is to be marked of each payment: what was published of it without a gap, also by earlier messages whose mark came when there
 * were newer events already. Where one is missing, it is what lies behind it.
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
