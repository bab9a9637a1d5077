import { invalid } from "../../shared/errors";
import type { FeedEvent } from "../domain/event";
import type { EventStore } from "../store/event-store";

export type ReadFeed = (tenant: string, after: number | undefined, limit: number) => Promise<FeedEvent[]>;

/**
 * Events behind a position, without gaps; from the oldest that is kept when none is given. Throws INVALID_ARGUMENT on
 * `after` when what follows it is no longer kept, or when the feed is not that long: a reader that lost something hears
 * of it.
 */
export const makeReadFeed =
  ({ events }: { events: Pick<EventStore, "page" | "last"> }): ReadFeed =>
  async (tenant, after, limit) => {
    // Read first: what is appended in between then only makes the page longer.
    const last = after === undefined ? 0 : await events.last(tenant);
    const page = await events.page(tenant, after ?? 0, limit);
    if (after === undefined) return page;
    if (after > last) throw invalid([{ field: "after", message: "is not a position of this feed" }]);
    const isNext = page[0] === undefined ? after === last : page[0].position === after + 1;
    if (!isNext) throw invalid([{ field: "after", message: "is older than the events that are kept" }]);
    return page;
  };
