import type { Connection } from "mongoose";
import { beginningOfTime } from "../../shared/clock";
import type { OutboxMessage, OutboxSource } from "../../shared/outbox";
import { type SessionRecord, sessionCollection } from "./session-store";

/** Unpublished events of one session, in order, as one message. */
export interface SessionMessage extends OutboxMessage {
  sessionId: string;
  eventCount: number;
  waitingSince: Date;
}

/** What an event message is made from. */
export type EventfulSession = Pick<
  SessionRecord,
  "_id" | "tenant" | "entityId" | "documentType" | "events" | "published" | "eventCount" | "traceparent" | "updatedAt"
> & { relayDue?: Date };

/** Turns events of a session, from the given position on, into the bytes that are published. */
export type EncodeSessionEvents = (session: EventfulSession, from: number) => Uint8Array;

const projection = {
  tenant: 1,
  entityId: 1,
  documentType: 1,
  events: 1,
  published: 1,
  eventCount: 1,
  traceparent: 1,
  updatedAt: 1,
  relayDue: 1,
} as const;

/** The sessions' events as an outbox: they live in the session's own document, with which they were stored. */
export function makeSessionOutbox(
  connection: Connection,
  subject: string,
  encode: EncodeSessionEvents,
): OutboxSource<SessionMessage> {
  const sessions = sessionCollection(connection);
  const toMessage = (session: EventfulSession, from: number): SessionMessage => ({
    id: `${session._id}:${from}-${session.eventCount}`,
    subject,
    payload: encode(session, from),
    traceparent: session.traceparent || undefined,
    committedAt: session.updatedAt,
    sessionId: session._id,
    eventCount: session.eventCount,
    waitingSince: session.relayDue ?? session.updatedAt,
  });
  return {
    async pending(limit, after) {
      const filter = after === undefined ? { relayDue: { $gt: beginningOfTime } } : behind(after);
      const found = await sessions.find(filter, { projection }).sort({ relayDue: 1, _id: 1 }).limit(limit).toArray();
      return found.map((session) => toMessage(session, session.published));
    },
    async markPublished(messages) {
      const updates = messages.map(({ sessionId, eventCount }) => ({
        updateOne: {
          filter: { _id: sessionId, eventCount },
          update: { $set: { published: eventCount }, $unset: { relayDue: "" as const } },
        },
      }));
      if (updates.length > 0) await sessions.bulkWrite(updates, { ordered: false });
    },
    async *since(from) {
      const all = sessions.find({ updatedAt: { $gte: from } }, { projection }).sort({ updatedAt: 1 });
      for await (const session of all) if (session.eventCount > 0) yield toMessage(session, 0);
    },
  };
}

/** What waits behind a message, in the order of the outbox. */
const behind = ({ waitingSince, sessionId }: SessionMessage): object => ({
  $or: [{ relayDue: { $gt: waitingSince } }, { relayDue: waitingSince, _id: { $gt: sessionId } }],
});
