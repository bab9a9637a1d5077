import { invalid } from "../../shared/kernel/errors";
import type { FeedEvent } from "../domain/event";
import type { EventName } from "../domain/event-names";
import type { EventStore, Seam } from "../store/event-store";

/** A page of a feed, and the position after which to continue. */
export interface FeedPage {
  events: readonly FeedEvent[];
  next: number;
}

/** Reads a page; only events with the given names, if any are given. After the newest event there is none yet. */
export type ReadFeed = (
  tenant: string,
  after: number | "newest" | undefined,
  limit: number,
  names?: ReadonlySet<EventName>,
) => Promise<FeedPage>;

/** With a filter by name: events examined for each that a page may show, and at most for a page. */
const looked = { perEvent: 20, most: 400 };

/**
 * Returns events after a position, or from the oldest kept one when none is given, without gaps except the one that a
 * restore leaves. Throws INVALID_ARGUMENT on `after` when the events after it are no longer kept or the feed is shorter, so
 * that a reader learns of a loss.
 */
export const makeReadFeed =
  ({ events }: { events: Pick<EventStore, "page" | "last" | "seam"> }): ReadFeed =>
  async (tenant, after, limit, names) => {
    // Read first: events appended in between only make the page longer.
    const last = await events.last(tenant);
    if (after === "newest") return { events: [], next: last };
    const most = names === undefined ? limit : Math.min(looked.perEvent * limit, looked.most);
    const page = await events.page(tenant, after ?? 0, most);
    const show = (end: number): FeedPage => shownOf(page, end, limit, names);
    if (after === undefined) return show(last);
    const first = page[0]?.position;
    const isNext = first === undefined ? after === last : first === after + 1;
    if (isNext) return show(last);
    const seam = await events.seam(tenant);
    if (seam !== undefined && isInSeam(seam, after, first)) return show(after);
    if (after > last) throw invalid([{ field: "after", message: "is not a position of this feed" }]);
    throw invalid([{ field: "after", message: "is older than the events that are kept" }]);
  };

/** Selects the examined events to show. When they exceed the page, the page ends at its last event. */
function shownOf(
  page: readonly FeedEvent[],
  end: number,
  limit: number,
  names: ReadonlySet<EventName> | undefined,
): FeedPage {
  const wanted = names === undefined ? page : page.filter(({ notification }) => names.has(notification.name));
  const events = wanted.slice(0, limit);
  const seen = wanted.length > limit ? events.at(-1) : page.at(-1);
  return { events, next: seen?.position ?? end };
}

/** True when a reader is in the gap of a restore: it has missed no event since. */
const isInSeam = ({ from, to }: Seam, after: number, first: number | undefined): boolean =>
  after >= from && after <= to && (first === undefined || first === to + 1);
