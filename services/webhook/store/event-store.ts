import { type Connection, Schema } from "mongoose";
import type { Tx } from "../../shared/storage/mongo";
import type { FeedEvent, Subject, ToldEvent } from "../domain/event";
import { type EventName, eventNames } from "../domain/event-names";

interface EventRecord {
  _id: string;
  tenant: string;
  position: number;
  subjectId: string;
  sequence: number;
  name: EventName;
  fields: string;
  traceparent: string | null;
  occurredAt: Date;
  createdAt: Date;
}

/** A told event whose place in its tenant's feed is not yet known. */
export interface FreshEvent extends ToldEvent {
  subject: Subject;
}

export interface EventStore {
  init(): Promise<void>;
  /** Gives each event the next position of its tenant, in the order given, and keeps it. */
  append(tx: Tx, events: readonly FreshEvent[], at: Date): Promise<FeedEvent[]>;
  /** Events behind a position, by ascending position, from the first that is kept. */
  page(tenant: string, after: number, limit: number): Promise<FeedEvent[]>;
  /** Position of the newest event; 0 when there was none yet. */
  last(tenant: string): Promise<number>;
  /** Events of a span of time with one of the names, by the time they happened; `behind` is the last of the page before. */
  during(tenant: string, span: Span, behind: FeedEvent | undefined, limit: number): Promise<FeedEvent[]>;
}

export interface Span {
  names: readonly EventName[];
  /** When they happened: from here on, and before there. */
  since: Date;
  until: Date;
}

const retentionSeconds = 30 * 24 * 60 * 60;

const eventSchema = new Schema<EventRecord>(
  {
    _id: { type: String, required: true },
    tenant: { type: String, required: true },
    position: { type: Number, required: true },
    subjectId: { type: String, required: true },
    sequence: { type: Number, required: true },
    name: { type: String, enum: eventNames, required: true },
    fields: { type: String, required: true },
    traceparent: { type: String, default: null },
    occurredAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, strict: "throw" },
);
eventSchema.index({ tenant: 1, position: 1 }, { unique: true });
eventSchema.index({ tenant: 1, occurredAt: 1, position: 1 });
eventSchema.index({ createdAt: 1 }, { expireAfterSeconds: retentionSeconds });

const toFeedEvent = ({ _id, tenant, subjectId, name, fields, traceparent, ...facts }: EventRecord): FeedEvent => ({
  id: _id,
  subject: { tenant, id: subjectId },
  position: facts.position,
  sequence: facts.sequence,
  telling: { name, fields },
  traceparent: traceparent ?? undefined,
  occurredAt: facts.occurredAt,
});

/** Everything that tenants are told, in one order per tenant, kept for 30 days. `feeds` has the last position of each. */
export function makeEventStore(connection: Connection): EventStore {
  const model = connection.model("Event", eventSchema, "events");
  const events = connection.collection<EventRecord>("events");
  const feeds = connection.collection<{ _id: string; last: number }>("feeds");
  return {
    async init() {
      await connection.createCollection("feeds");
      await model.createCollection();
      await model.createIndexes();
    },
    async append({ session }, added, at) {
      if (added.length === 0) return [];
      const tenants = [...new Set(added.map(({ subject }) => subject.tenant))];
      const found = await feeds.find({ _id: { $in: tenants } }, { session }).toArray();
      const lasts = new Map(found.map(({ _id, last }) => [_id, last]));
      const placed = added.map((event) => {
        const { tenant } = event.subject;
        const position = (lasts.get(tenant) ?? 0) + 1;
        lasts.set(tenant, position);
        return { ...event, position };
      });
      // Two writers meet here: one of the transactions ends and begins again, so no position is given twice or left out.
      const moves = [...lasts].map(([_id, last]) => ({
        updateOne: { filter: { _id }, update: { $set: { last } }, upsert: true },
      }));
      await feeds.bulkWrite(moves, { session, ordered: true });
      const records = placed.map((event) => toRecord(event, at));
      await events.insertMany(records, { session });
      return placed;
    },
    async page(tenant, after, limit) {
      const behind = events.find({ tenant, position: { $gt: after } });
      const records = await behind.sort({ tenant: 1, position: 1 }).limit(limit).toArray();
      return records.map(toFeedEvent);
    },
    async last(tenant) {
      const feed = await feeds.findOne({ _id: tenant });
      return feed?.last ?? 0;
    },
    async during(tenant, { names, since, until }, behind, limit) {
      const rest =
        behind === undefined
          ? {}
          : {
              $or: [
                { occurredAt: { $gt: behind.occurredAt } },
                { occurredAt: behind.occurredAt, position: { $gt: behind.position } },
              ],
            };
      const from = behind?.occurredAt ?? since;
      const found = events.find({ tenant, occurredAt: { $gte: from, $lt: until }, name: { $in: [...names] }, ...rest });
      const records = await found.sort({ tenant: 1, occurredAt: 1, position: 1 }).limit(limit).toArray();
      return records.map(toFeedEvent);
    },
  };
}

const toRecord = ({ id, subject, telling, traceparent, ...event }: FeedEvent, at: Date): EventRecord => ({
  _id: id,
  tenant: subject.tenant,
  position: event.position,
  subjectId: subject.id,
  sequence: event.sequence,
  ...telling,
  traceparent: traceparent ?? null,
  occurredAt: event.occurredAt,
  createdAt: at,
});
