import type { ListEventsRequest, ListEventsResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { bodyOf } from "../domain/event";
import type { ReadFeed } from "../operations/read-feed";
import { requireLimit, requireTenant } from "./codec";

export const listEventsHandler =
  (readFeed: ReadFeed) =>
  async ({ tenant, after, limit }: ListEventsRequest): Promise<ListEventsResponse> => {
    const position = after === undefined ? undefined : Number.parseInt(String(after), 10);
    const { events, next } = await readFeed(requireTenant(tenant), position, requireLimit(limit));
    return {
      next: BigInt(next),
      events: events.map(({ id, position: place, sequence, occurredAt, telling }) => ({
        position: BigInt(place),
        eventId: id,
        sequence,
        occurredAt,
        body: bodyOf(telling.name, telling.fields),
      })),
    };
  };
