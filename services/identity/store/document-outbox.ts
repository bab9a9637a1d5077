import type { Connection } from "mongoose";
import { beginningOfTime } from "../../shared/clock";
import type { OutboxMessage, OutboxSource } from "../../shared/outbox";
import type { DocumentEvent } from "../domain/document-event";
import type { ParticipantKind } from "../domain/participant";

/** Unpublished events of one record, in order, as one message. */
export interface DocumentMessage extends OutboxMessage {
  recordId: string;
  eventCount: number;
  waitingSince: Date;
}

/** What a record with events has: a document, or a session that is about one. */
export interface EventfulRecord {
  _id: string;
  tenant: string;
  entityId: string;
  /** Of the entity; a person when absent. */
  kind?: ParticipantKind;
  documentType: string;
  events: readonly DocumentEvent[];
  traceparent: string;
  /** How many of its events are in the stream. */
  published: number;
  eventCount: number;
  updatedAt: Date;
  /** Since when events wait to be published; absent when none does. */
  relayDue?: Date;
}

/** Turns events of a record, from the given position on, into the bytes that are published. */
export type EncodeDocumentEvents = (record: EventfulRecord, from: number) => Uint8Array;

const projection = {
  tenant: 1,
  entityId: 1,
  kind: 1,
  documentType: 1,
  events: 1,
  published: 1,
  eventCount: 1,
  traceparent: 1,
  updatedAt: 1,
  relayDue: 1,
} as const;

/**
 * The events of a collection as an outbox: they live in the records that they are about, with which they were stored. The
 * collection has indexes on `relayDue` with `_id`, and on `updatedAt`.
 */
export function makeDocumentOutbox(
  connection: Connection,
  collection: string,
  subject: string,
  encode: EncodeDocumentEvents,
): OutboxSource<DocumentMessage> {
  const records = connection.collection<EventfulRecord>(collection);
  const toMessage = (record: EventfulRecord, from: number): DocumentMessage => ({
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
      const found = await records.find(filter, { projection }).sort({ relayDue: 1, _id: 1 }).limit(limit).toArray();
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
      const all = records.find({ updatedAt: { $gte: from } }, { projection }).sort({ updatedAt: 1 });
      for await (const record of all) if (record.eventCount > 0) yield toMessage(record, 0);
    },
  };
}

/** What waits behind a message, in the order of the outbox. */
const behind = ({ waitingSince, recordId }: DocumentMessage): object => ({
  $or: [{ relayDue: { $gt: waitingSince } }, { relayDue: waitingSince, _id: { $gt: recordId } }],
});
