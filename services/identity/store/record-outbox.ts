import type { Connection } from "mongoose";
import type { OutboxMessage, OutboxSource } from "../../shared/bus/outbox";
import { beginningOfTime } from "../../shared/kernel/clock";
import { anyText, date, number, text } from "../../shared/storage/stored-fields";

/** A record that holds its own events, stored together with it. */
export interface EventfulRecord {
  _id: string;
  traceparent: string;
  /** How many of its events are in the stream. */
  published: number;
  eventCount: number;
  updatedAt: Date;
  /** Time since which events wait to be published; absent when none do. */
  relayDue?: Date;
}

/** The same as a schema. Without tracing the traceparent is empty. */
export const eventfulFields = {
  _id: text,
  traceparent: anyText,
  published: number,
  eventCount: number,
  updatedAt: date,
  relayDue: Date,
};

/** Unpublished events of one record, in order, as one message. */
export interface RecordMessage extends OutboxMessage {
  recordId: string;
  eventCount: number;
  waitingSince: Date;
}

export interface RecordOutboxOptions<R extends EventfulRecord> {
  /** The collection has indexes on `relayDue` with `_id`, and on `updatedAt`. */
  collection: string;
  subject: string;
  /** The facts of a record for its events. */
  fields: readonly (keyof R & string)[];
  /** Turns events of a record, from the given position on, into the bytes that are published. */
  encode(record: R, from: number): Uint8Array;
}

const ownFields = ["traceparent", "published", "eventCount", "updatedAt", "relayDue"] as const;

/** Makes an outbox of the events of a collection's records. */
export function makeRecordOutbox<R extends EventfulRecord>(
  connection: Connection,
  { collection, subject, fields, encode }: RecordOutboxOptions<R>,
): OutboxSource<RecordMessage> {
  const records = connection.collection<EventfulRecord>(collection);
  const projection = Object.fromEntries([...ownFields, ...fields].map((field) => [field, 1]));
  const toMessage = (record: R, from: number): RecordMessage => ({
    id: `${record._id}:${from}-${record.eventCount}`,
    subject,
    payload: encode(record, from),
    traceparent: record.traceparent || undefined,
    committedAt: record.updatedAt,
    recordId: record._id,
    eventCount: record.eventCount,
    waitingSince: record.relayDue ?? record.updatedAt,
  });
  return {
    async pending(limit, after) {
      const filter = after === undefined ? { relayDue: { $gt: beginningOfTime } } : behind(after);
      const found = await records.find<R>(filter, { projection }).sort({ relayDue: 1, _id: 1 }).limit(limit).toArray();
      return found.map((record) => toMessage(record, record.published));
    },
    async markPublished(messages) {
      const updates = messages.map(({ recordId, eventCount }) => ({
        updateOne: {
          filter: { _id: recordId, eventCount },
          update: { $set: { published: eventCount }, $unset: { relayDue: "" as const } },
        },
      }));
      if (updates.length > 0) await records.bulkWrite(updates, { ordered: false });
    },
    async *since(from) {
      const filter = { updatedAt: { $gte: from }, eventCount: { $gt: 0 } };
      for await (const record of records.find<R>(filter, { projection }).sort({ updatedAt: 1 })) {
        yield toMessage(record, 0);
      }
    },
  };
}

/** Filter for what comes after a message in the order of the outbox. */
const behind = ({ waitingSince, recordId }: RecordMessage): object => ({
  $or: [{ relayDue: { $gt: waitingSince } }, { relayDue: waitingSince, _id: { $gt: recordId } }],
});
