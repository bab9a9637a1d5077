import { invalid } from "../../shared/kernel/errors";
import type { FeedEvent } from "../domain/event";
import type { EventName } from "../domain/event-names";
import type { EventStore, Seam } from "../store/event-store";

/** A page of a feed, and the position to read on behind. */
export interface FeedPage {
  events: readonly FeedEvent[];
  next: number;
}

/** Reads a page; of the events with some names alone where these are given. */
export type ReadFeed = (
  tenant: string,
  after: number | undefined,
  limit: number,
  names?: ReadonlySet<EventName>,
) => Promise<FeedPage>;

/** Events that are looked at for each that a page may show where not all are wanted, and at most for a page. */
const looked = { perEvent: 20, most: 400 };

/**
 * Events behind a position, without gaps but the one that a restore leaves; from the oldest that is kept when none is given. Throws INVALID_ARGUMENT on
 * `after` when what follows it is no longer kept, or when the feed is not that long: a reader that lost something hears
 * of it.
 */
export const makeReadFeed =
  ({ events }: { events: Pick<EventStore, "page" | "last" | "seam"> }): ReadFeed =>
  async (tenant, after, limit, names) => {
    // Read first: what is appended in between then only makes the page longer.
    const last = await events.last(tenant);
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

/** What is shown of the events that were looked at. Where there are more of them than a page has room for, it ends at its last one. */
function shownOf(
  page: readonly FeedEvent[],
  end: number,
  limit: number,
  names: ReadonlySet<EventName> | undefined,
): FeedPage {
  const wanted = names === undefined ? page : page.filter(({ telling }) => names.has(telling.name));
  const events = wanted.slice(0, limit);
  const seen = wanted.length > limit ? events.at(-1) : page.at(-1);
  return { events, next: seen?.position ?? end };
}

/** A reader who had read on before a restore, or up to where it went back, misses nothing that is told since. */
const isInSeam = ({ from, to }: Seam, after: number, first: number | undefined): boolean =>
  after >= from && after <= to && (first === undefined || first === to + 1);
