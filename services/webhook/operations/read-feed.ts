import { invalid } from "../../shared/kernel/errors";
import type { FeedEvent } from "../domain/event";
import type { EventStore, Seam } from "../store/event-store";

/** A page of a feed, and the position to read on behind. */
export interface FeedPage {
  events: readonly FeedEvent[];
  next: number;
}

export type ReadFeed = (tenant: string, after: number | undefined, limit: number) => Promise<FeedPage>;

/**
 * Events behind a position, without gaps but the one that a restore leaves; from the oldest that is kept when none is given. Throws INVALID_ARGUMENT on
 * `after` when what follows it is no longer kept, or when the feed is not that long: a reader that lost something hears
 * of it.
 */
export const makeReadFeed =
  ({ events }: { events: Pick<EventStore, "page" | "last" | "seam"> }): ReadFeed =>
  async (tenant, after, limit) => {
    // Read first: what is appended in between then only makes the page longer.
    const last = await events.last(tenant);
    const page = await events.page(tenant, after ?? 0, limit);
    const next = page.at(-1)?.position ?? last;
    if (after === undefined) return { events: page, next };
    const first = page[0]?.position;
    const isNext = first === undefined ? after === last : first === after + 1;
    if (isNext) return { events: page, next };
    const seam = await events.seam(tenant);
    if (seam !== undefined && isInSeam(seam, after, first))
      return { events: page, next: page.at(-1)?.position ?? after };
    if (after > last) throw invalid([{ field: "after", message: "is not a position of this feed" }]);
    throw invalid([{ field: "after", message: "is older than the events that are kept" }]);
  };

/** A reader who had read on before a restore, or up to where it went back, misses nothing that is told since. */
const isInSeam = ({ from, to }: Seam, after: number, first: number | undefined): boolean =>
  after >= from && after <= to && (first === undefined || first === to + 1);
