import { Schema } from "mongoose";
import { latest } from "../../shared/kernel/clock";
import { derivedUuidAt } from "../../shared/kernel/ids";
import { date, listOf, number, oneOf, part, strictDocument, text } from "../../shared/storage/stored-fields";
import type { FeedEvent } from "../domain/event";
import { type EventName, eventNames } from "../domain/event-names";
import type { FeedPage } from "../domain/feed-page";

interface EventRecord {
  id: string;
  subjectId: string;
  sequence: number;
  name: EventName;
  fields: string;
  traceparent: string | null;
  occurredAt: Date;
}

export interface FeedPageRecord {
  /** Tenant and position of the first event: a position is assigned once. Without events it is derived from the handled events. */
  _id: string;
  tenant: string;
  /** Positions of the first and last event, and times of the earliest and latest; absent when there are no events. */
  first?: number;
  last?: number;
  earliest?: Date;
  latest?: Date;
  createdAt: Date;
  events: EventRecord[];
  /** The last event handled with this page, by stream and subject. */
  handled: { key: string; last: number }[];
}

export const feedPageSchema = new Schema<FeedPageRecord>(
  {
    _id: text,
    tenant: text,
    first: Number,
    last: Number,
    earliest: Date,
    latest: Date,
    createdAt: date,
    events: listOf(
      part({
        id: text,
        subjectId: text,
        sequence: number,
        name: oneOf(eventNames),
        fields: text,
        traceparent: { type: String, default: null },
        occurredAt: date,
      }),
    ),
    handled: listOf(part({ key: text, last: number })),
  },
  strictDocument,
);
feedPageSchema.index({ tenant: 1, last: 1 });
feedPageSchema.index({ tenant: 1, latest: 1, last: 1 });
// Each event is stored once, whichever page it is in; a page without events is not indexed.
feedPageSchema.index({ "events.id": 1 }, { unique: true, partialFilterExpression: { last: { $gt: 0 } } });
feedPageSchema.index({ "handled.key": 1 });
feedPageSchema.index({ createdAt: 1 });

/** Positions are written with a fixed number of digits, so that a tenant's pages sort in order. */
const positionDigits = 16;

export function toRecord({ tenant, events, handled, at }: FeedPage): FeedPageRecord {
  const common = {
    tenant,
    createdAt: at,
    events: events.map(toEventRecord),
    handled: [...handled].map(([key, last]) => ({ key, last })),
  };
  const [one, ...others] = events;
  if (one === undefined) {
    return { ...common, _id: derivedUuidAt(at, tenant, ...[...handled].map(String)) };
  }
  const times = others.map(({ occurredAt }) => occurredAt);
  return {
    ...common,
    _id: `${tenant}/${String(one.position).padStart(positionDigits, "0")}`,
    first: one.position,
    last: others.at(-1)?.position ?? one.position,
    earliest: times.reduce((least, at) => (at < least ? at : least), one.occurredAt),
    latest: latest([one.occurredAt, ...times]),
  };
}

const toEventRecord = ({ id, subject, sequence, notification, traceparent, occurredAt }: FeedEvent): EventRecord => ({
  id,
  subjectId: subject.id,
  sequence,
  ...notification,
  traceparent: traceparent ?? null,
  occurredAt,
});

export const toFeedEvents = ({ tenant, first = 0, events }: FeedPageRecord): FeedEvent[] =>
  events.map(({ id, subjectId, name, fields, traceparent, ...facts }, index) => ({
    ...facts,
    id,
    subject: { tenant, id: subjectId },
    position: first + index,
    notification: { name, fields },
    traceparent: traceparent ?? undefined,
  }));
