import type { ListEventsRequest, ListEventsResponse } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { invalid } from "../../shared/kernel/errors";
import { bodyOf } from "../domain/event";
import { type EventName, eventNames } from "../domain/event-names";
import type { ReadFeed } from "../operations/read-feed";
import { requireLimit, requireTenant } from "./codec";

export const listEventsHandler =
  (readFeed: ReadFeed) =>
  async (request: ListEventsRequest): Promise<ListEventsResponse> => {
    const { tenant, limit, eventNames: names } = request;
    const position = request.fromNewest ? "newest" : placeOf(request);
    const wanted = names.length === 0 ? undefined : new Set(names.map(requireName));
    const { events, next } = await readFeed(requireTenant(tenant), position, requireLimit(limit), wanted);
    return {
      next: BigInt(next),
      events: events.map(({ id, position: place, sequence, occurredAt, notification }) => ({
        position: BigInt(place),
        eventId: id,
        sequence,
        occurredAt,
        body: bodyOf(notification.name, notification.fields),
      })),
    };
  };

const placeOf = ({ after }: Pick<ListEventsRequest, "after">): number | undefined =>
  after === undefined ? undefined : Number.parseInt(String(after), 10);

function requireName(name: string): EventName {
  const known = eventNames.find((one) => one === name);
  if (known === undefined) throw invalid([{ field: "types", message: `must be of ${eventNames.join(", ")}` }]);
  return known;
}
