import type { Connection, mongo } from "mongoose";
import { beginningOfTime, plusMs } from "../../shared/kernel/clock";
import type { TenantScope } from "../../shared/kernel/tenant-scope";
import { isInScope } from "../../shared/kernel/tenant-scope";
import { collectionOf } from "../../shared/storage/collection-of";
import type { Transact, Tx } from "../../shared/storage/mongo";
import { insertAll } from "../../shared/storage/one-command";
import type { FeedEvent } from "../domain/event";
import type { EventName } from "../domain/event-names";
import type { FeedPage } from "../domain/feed-page";
import { type FeedPageRecord, feedPageSchema, toFeedEvents, toRecord } from "./feed-page-record";
import { type FeedRecord, feedModel } from "./feed-record";
import { readInRounds } from "./read-in-rounds";

export interface EventStore {
  init(): Promise<void>;
  /**
   * Stores a page after the last one of its tenant. Fails with a duplicate key when another process has assigned one of its positions, or
   * stored one of its events.
   */
  add(tx: Tx, page: FeedPage): Promise<void>;
  /** Returns events after a position, by ascending position, from the first that is kept. */
  page(tenant: string, after: number, limit: number): Promise<FeedEvent[]>;
  /** Returns the position of the newest event; 0 when there was none yet. */
  last(tenant: string): Promise<number>;
  /** Returns the positions that were skipped because the stores were restored to an earlier time; undefined: none ever were. */
  seam(tenant: string): Promise<Seam | undefined>;
  /** Returns about the given number of events of a span of time with one of the names; `behind` is where the previous part ended. */
  during(tenant: string, span: Span, behind: SpanPlace | undefined, about: number): Promise<SpanPart>;
  /** Returns the subject of an event, and when it happened. */
  find(scope: TenantScope, id: string): Promise<Pick<FeedEvent, "id" | "subject" | "occurredAt"> | undefined>;
  /**
   * Removes pages that have reached the retention time, up to a number of them; their handled events are remembered permanently. Returns
   * when the next page reaches it.
   */
  retire(at: Date, limit: number): Promise<Date | undefined>;
}

/** Positions between the two may have been delivered before a restore, and no longer name an event. */
export interface Seam {
  /** Position of the last event that was restored. */
  from: number;
  /** The first position after the restore follows this one. */
  to: number;
}

export interface Span {
  names: readonly EventName[];
  /** Span of time in which they happened: from the first instant on, and before the second. */
  since: Date;
  until: Date;
}

/** A place between two pages. */
export interface SpanPlace {
  latest: Date;
  last: number;
}

/** Without `next` this is the last part. */
export interface SpanPart {
  events: FeedEvent[];
  next: SpanPlace | undefined;
}

const retentionMs = 30 * 24 * 60 * 60 * 1_000;

/**
 * All events for tenants, in one sequence per tenant, kept for 30 days in pages of events that were stored together. `feeds` has the last
 * position of a tenant with retired pages, and `inbox` the events handled with them. Positions up to `floor` are never assigned again.
 */
export function makeEventStore(connection: Connection, transact: Transact, floor = 0): EventStore {
  const model = connection.model("FeedPage", feedPageSchema, "feed_pages");
  const ends = feedModel(connection);
  const pages = collectionOf<FeedPageRecord>(model);
  const feeds = collectionOf<FeedRecord>(ends);
  return {
    ...reading(pages),
    retire: makeRetire(connection, transact),
    async init() {
      await ends.createCollection();
      await connection.createCollection("inbox");
      await model.createCollection();
      await model.createIndexes();
    },
    add: (tx, page) => insertAll(tx, pages, [toRecord(page)]),
    async seam(tenant) {
      if (floor === 0) return undefined;
      const feed = await feeds.findOne({ _id: tenant });
      return { from: feed?.restoredLast ?? 0, to: floor };
    },
    async last(tenant) {
      const newest = { sort: { tenant: -1, last: -1 }, projection: { last: 1 } } as const;
      const [page, retired] = await Promise.all([
        pages.findOne({ tenant, last: { $gt: 0 } }, newest),
        feeds.findOne({ _id: tenant }),
      ]);
      return Math.max(page?.last ?? 0, retired?.last ?? 0);
    },
  };
}

function reading(pages: mongo.Collection<FeedPageRecord>): Pick<EventStore, "page" | "during" | "find"> {
  return {
    async page(tenant, after, limit) {
      const events: FeedEvent[] = [];
      let behind = after;
      await readInRounds(async (count) => {
        const found = await pages
          .find({ tenant, last: { $gt: behind } })
          .sort({ tenant: 1, last: 1 })
          .limit(count)
          .toArray();
        events.push(...found.flatMap(toFeedEvents).filter(({ position }) => position > after));
        behind = found.at(-1)?.last ?? behind;
        return found.length === count && events.length < limit;
      });
      return events.slice(0, limit);
    },
    async during(tenant, { names, since, until }, behind, about) {
      const events: FeedEvent[] = [];
      let next = behind;
      await readInRounds(async (count) => {
        const rest =
          next === undefined
            ? { latest: { $gte: since } }
            : { latest: { $gte: next.latest }, $or: [{ latest: { $gt: next.latest } }, { last: { $gt: next.last } }] };
        const found = await pages
          .find({ tenant, ...rest, earliest: { $lt: until } })
          .sort({ tenant: 1, latest: 1, last: 1 })
          .limit(count)
          .toArray();
        const isWanted = ({ occurredAt, notification }: FeedEvent): boolean =>
          occurredAt >= since && occurredAt < until && names.includes(notification.name);
        events.push(...found.flatMap(toFeedEvents).filter(isWanted));
        const end = found.at(-1);
        const hasMore = found.length === count;
        next = hasMore && end?.latest !== undefined ? { latest: end.latest, last: end.last ?? 0 } : undefined;
        return hasMore && events.length < about;
      });
      return { events, next };
    },
    async find(scope, id) {
      const projection = { "events.fields": 0, handled: 0 };
      const page = await pages.findOne({ "events.id": id, last: { $gt: 0 } }, { projection });
      if (page === null || !isInScope(scope, page.tenant)) return undefined;
      const event = toFeedEvents(page).find((one) => one.id === id);
      return event && { id, subject: event.subject, occurredAt: event.occurredAt };
    },
  };
}

function makeRetire(connection: Connection, transact: Transact): EventStore["retire"] {
  const pages = connection.collection<FeedPageRecord>("feed_pages");
  const feeds = connection.collection<FeedRecord>("feeds");
  const inbox = connection.collection<{ _id: string; lastSequence: number }>("inbox");
  return async (at, limit) => {
    const isOld = { createdAt: { $lte: plusMs(at, -retentionMs) } };
    const isFull = await transact(async ({ session }) => {
      const old = await pages
        .find(isOld, { session, projection: { tenant: 1, last: 1, handled: 1 } })
        .sort({ createdAt: 1 })
        .limit(limit)
        .toArray();
      if (old.length === 0) return false;
      const lasts = mostOf(old.map(({ tenant, last = 0 }) => [tenant, last]));
      const handled = mostOf(old.flatMap((page) => page.handled.map(({ key, last }) => [key, last] as const)));
      const most = (field: string, all: ReadonlyMap<string, number>) =>
        [...all].map(([_id, value]) => ({
          updateOne: { filter: { _id }, update: { $max: { [field]: value } }, upsert: true },
        }));
      await feeds.bulkWrite(most("last", lasts), { session });
      await inbox.bulkWrite(most("lastSequence", handled), { session });
      await pages.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }, { session });
      return old.length === limit;
    });
    if (isFull) return at;
    const oldest = await pages.findOne(
      { createdAt: { $gt: beginningOfTime } },
      { sort: { createdAt: 1 }, projection: { createdAt: 1 } },
    );
    return oldest === null ? undefined : plusMs(oldest.createdAt, retentionMs);
  };
}

function mostOf(all: readonly (readonly [string, number])[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const [key, value] of all) most.set(key, Math.max(most.get(key) ?? 0, value));
  return most;
}
