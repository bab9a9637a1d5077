import type { FeedEvent } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import { answer, instant, integer, listOf, text } from "../contract/parts";
import type { ObjectSchema } from "../contract/schema";
import type { Answer, Route } from "../route";
import { admitOwn, tenantParam } from "./webhooks";

const feedShape = answer("EventFeed", "A page of what happened, in one order.", {
  events: listOf(
    "The events, oldest first.",
    answer("FeedEvent", "Something that happened.", {
      cursor: text("Place of the event in the feed: `after` of what follows it."),
      id: text("Id of the event, `x-service-event-id` of its deliveries."),
      sequence: integer("Position among the events of its transaction, document or agent, from 1."),
      occurredAt: instant("When it happened."),
      payload: { type: "object", description: "The event as deliveries carry it." },
    }),
  ),
  next: text("`after` of the next page, also when this one is the last for now."),
});

const feedQuery = {
  type: "object",
  description: "Which page is meant.",
  properties: {
    after: {
      type: "string",
      description: "`next` of an earlier page; the oldest event that is kept when absent.",
      pattern: "^[0-9]{1,15}$",
      rule: "must be `next` of an earlier page",
    },
    limit: { type: "integer", description: "Longest page.", minimum: 1, maximum: 200, default: 25 },
  },
} as const satisfies ObjectSchema;

/** Everything that webhooks tell, in one order, for callers that would rather ask. */
export const eventRoutes = ({ webhook }: Pick<Upstreams, "webhook">): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/organizations/{tenant}/events",
    scheme: "tenant",
    scope: "webhooks",
    tag: "Webhooks",
    summary: "Read the events of the last 30 days in order; nothing is missing between two pages.",
    params: tenantParam,
    query: feedQuery,
    response: { status: 200, description: "One page, oldest first.", schema: feedShape },
    refusals: ["WEBHOOK_NOT_FOUND", "INVALID_ARGUMENT"],
    admit: admitOwn,
    async handle({ tenant, query: { after, limit } }) {
      const start = after === undefined ? undefined : BigInt(after);
      const { events, next } = await webhook.listEvents({ tenant, after: start, limit });
      return { madeElsewhere: renderFeed(events, next) };
    },
  }),
];

/** Written by hand around the payloads, whose numbers must stay as they are. */
function renderFeed(events: readonly FeedEvent[], next: bigint): Answer {
  const rows = events.map(({ position, eventId, sequence, occurredAt, body }) => {
    const facts = JSON.stringify({ cursor: String(position), id: eventId, sequence, occurredAt });
    return `${facts.slice(0, -1)},"payload":${body}}`;
  });
  return {
    status: 200,
    headers: { "content-type": "application/json" },
    body: Buffer.from(`{"events":[${rows.join(",")}],"next":"${next}"}`),
  };
}
