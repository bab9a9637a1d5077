import type { Call } from "./call.ts";
import { isCode } from "./errors.ts";
import type { FeedEvent, WebhookEvent } from "./gen/api.ts";
import type { Clock } from "./options.ts";
import { makePager, type Pager } from "./pager.ts";

export interface FeedQuery {
  /** The position after which to begin; the oldest event that is kept when absent. */
  readonly after?: string;
  /** Only events of these types. */
  readonly types?: readonly WebhookEvent["event"][];
}

export interface FollowOptions extends FeedQuery {
  readonly signal?: AbortSignal;
}

/** Everything that webhooks deliver, for callers that prefer to poll. */
export interface Events {
  /** Returns the events so far, oldest first. */
  list(query?: FeedQuery): Pager<FeedEvent>;
  /** The current end of the feed: `after` for events from here on. */
  end(query?: FollowOptions): Promise<string>;
  /**
   * Yields events after a position as they happen, until `signal` aborts. None is missing and none comes twice: store the `cursor` of the
   * last handled event, and continue from it after a restart. While the platform is away, waits for its return.
   */
  follow(options?: FollowOptions): AsyncIterable<FeedEvent>;
}

/** Seconds that the platform waits for an event before it answers with an empty page. */
const waitSeconds = 8;
const pageSize = 200;
const restMs = 1_000;

export function makeEvents(call: Call, clock: Clock): Events {
  const read = async ({ after, types, signal }: FollowOptions, wait: number) => {
    const query = {
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
      ...(types === undefined || types.length === 0 ? {} : { types: types.join(",") }),
      ...(wait === 0 ? {} : { wait }),
    };
    return await call("GET /organizations/{tenant}/events", { query }, signal === undefined ? {} : { signal });
  };
  async function* follow(options: FollowOptions = {}): AsyncGenerator<FeedEvent> {
    const { signal } = options;
    for (let after = options.after; signal?.aborted !== true; ) {
      const page = await readPatiently(() =>
        read({ ...options, ...(after === undefined ? {} : { after }) }, waitSeconds),
      );
      if (page === undefined) continue;
      yield* page.events;
      after = page.next;
    }
    async function readPatiently<Page>(readPage: () => Promise<Page>): Promise<Page | undefined> {
      try {
        return await readPage();
      } catch (error) {
        if (signal?.aborted === true) return undefined;
        if (isRefusedForGood(error)) throw error;
        await clock.sleep(restMs, signal).catch(() => undefined);
        return undefined;
      }
    }
  }
  return {
    list: (query = {}) =>
      makePager(async (after) => {
        const place = after ?? query.after;
        const { events, next } = await read({ ...query, ...(place === undefined ? {} : { after: place }) }, 0);
        // With a filter a page may be empty while more follow: the end is reached when the position no longer moves.
        return { items: events, next: next === (place ?? "0") ? null : next };
      }),
    async end(query = {}) {
      for (let after = query.after ?? "0"; ; ) {
        const { next } = await read({ ...query, after }, 0);
        if (next === after) return next;
        after = next;
      }
    },
    follow,
  };
}

/** True for a refusal that waiting does not resolve: a wrong key, or a position that is no longer kept. */
const isRefusedForGood = (error: unknown): boolean =>
  isCode(error, "VE_001", "AUTH_001", "AUTH_002", "AUTH_003", "AUTH_004", "WH_404") || error instanceof TypeError;
