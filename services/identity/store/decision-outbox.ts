import type { Connection } from "mongoose";
import { beginningOfTime } from "../../shared/clock";
import type { OutboxMessage, OutboxSource } from "../../shared/outbox";
import { type DecisionRecord, decisionCollection } from "./decision-store";

/** Unpublished events of one decision, in order, as one message. */
export interface DecisionMessage extends OutboxMessage {
  paymentId: string;
  eventCount: number;
  waitingSince: Date;
}

/** What an event message is made from. */
export type EventfulDecision = Pick<
  DecisionRecord,
  "_id" | "tenant" | "events" | "published" | "eventCount" | "traceparent" | "updatedAt"
> & { relayDue?: Date };

/** Turns events of a decision, from the given position on, into the bytes that are published. */
export type EncodeDecisionEvents = (decision: EventfulDecision, from: number) => Uint8Array;

const projection = {
  tenant: 1,
  events: 1,
  published: 1,
  eventCount: 1,
  traceparent: 1,
  updatedAt: 1,
  relayDue: 1,
} as const;

/** Changes of decisions as an outbox: they live in the decision's own document, with which they were stored. */
export function makeDecisionOutbox(
  connection: Connection,
  subject: string,
  encode: EncodeDecisionEvents,
): OutboxSource<DecisionMessage> {
  const decisions = decisionCollection(connection);
  const toMessage = (decision: EventfulDecision, from: number): DecisionMessage => ({
    id: `${decision._id}:${from}-${decision.eventCount}`,
    subject,
    payload: encode(decision, from),
    traceparent: decision.traceparent || undefined,
    committedAt: decision.updatedAt,
    paymentId: decision._id,
    eventCount: decision.eventCount,
    waitingSince: decision.relayDue ?? decision.updatedAt,
  });
  return {
    async pending(limit, after) {
      const filter = after === undefined ? { relayDue: { $gt: beginningOfTime } } : behind(after);
      const found = await decisions.find(filter, { projection }).sort({ relayDue: 1, _id: 1 }).limit(limit).toArray();
      return found.map((decision) => toMessage(decision, decision.published));
    },
    async markPublished(messages) {
      const updates = messages.map(({ paymentId, eventCount }) => ({
        updateOne: {
          filter: { _id: paymentId, eventCount },
          update: { $set: { published: eventCount }, $unset: { relayDue: "" as const } },
        },
      }));
      if (updates.length > 0) await decisions.bulkWrite(updates, { ordered: false });
    },
    async *since(from) {
      const filter = { updatedAt: { $gte: from }, eventCount: { $gt: 0 } };
      const all = decisions.find(filter, { projection }).sort({ updatedAt: 1 });
      for await (const decision of all) yield toMessage(decision, 0);
    },
  };
}

/** What waits behind a message, in the order of the outbox. */
const behind = ({ waitingSince, paymentId }: DecisionMessage): object => ({
  $or: [{ relayDue: { $gt: waitingSince } }, { relayDue: waitingSince, _id: { $gt: paymentId } }],
});
