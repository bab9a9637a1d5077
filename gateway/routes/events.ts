import type { ListEventsResponse } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { defineRoute } from "../contract/define-route";
import type { Infer } from "../contract/infer";
import { answer, closedQuery, instant, integer, listOf, text } from "../contract/parts";
import type { Schema } from "../contract/schema";
import type { ReadEvents } from "../read-events";
import type { Answer, Route } from "../route";
import { feedPayload } from "../schemas/webhook-schemas";
import { admitOwn, tenantParam } from "./webhooks";

export const feedShape = answer("EventFeed", "A page of what happened, in one order.", {
  events: listOf(
    "The events, oldest first.",
    answer("FeedEvent", "Something that happened.", {
      cursor: text("Place of the event in the feed: `after` of what follows it."),
      id: text("Id of the event, `x-service-event-id` of its deliveries."),
      sequence: integer("Position among the events of its transaction, document or agent, from 1."),
      occurredAt: instant("When it happened."),
      payload: feedPayload,
    }),
  ),
  next: text("`after` of the next page, also when this one is the last for now."),
});

/** Longest wait, seconds: the rest of a request's time is for the answer. */
const longestWait = 8;

export const feedMembers = {
  after: {
    type: "string",
    description:
      "`next` of an earlier page, or `newest` for what happens from now on; the oldest event that is kept when absent.",
    pattern: "^(?:[0-9]{1,15}|newest)$",
    rule: "must be `next` of an earlier page, or newest",
    examples: ["1024"],
  },
  limit: { type: "integer", description: "Longest page.", minimum: 1, maximum: 200, default: 25 },
  wait: {
    type: "integer",
    description:
      "Seconds to wait for something new where there is nothing. Four requests of a tenant, or operator, may wait at once at each replica.",
    minimum: 0,
    maximum: longestWait,
    default: 0,
  },
  types: {
    type: "string",
    description: "Only events of these names, parted by commas. A page may be short, or empty, while more follow.",
    pattern: "^[A-Za-z]{1,64}(?:,[A-Za-z]{1,64}){0,15}$",
    rule: "must be names of events, parted by commas",
    examples: ["TransactionStatusChanged,DocumentUpdatedEvents"],
  },
} as const satisfies Readonly<Record<string, Schema>>;

const feedQuery = closedQuery("Which page is meant.", feedMembers);

/** Reads the caller's query. */
export const toEventsAsked = ({ after, limit, wait, types }: Infer<typeof feedQuery>) => ({
  after: after === undefined ? undefined : after === "newest" ? ("newest" as const) : BigInt(after),
  limit,
  waitMs: wait * 1_000,
  eventNames: types === undefined ? [] : types.split(","),
});

/** Everything that webhooks deliver, in one sequence, for callers that prefer to poll. */
export const eventRoutes = (readEvents: ReadEvents): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/organizations/{tenant}/events",
    scheme: "tenant",
    scope: "webhooks",
    tag: "Webhooks",
    summary:
      "Read the events of the last 30 days in order, or wait for the next; nothing is missing between two pages.",
    params: tenantParam,
    query: feedQuery,
    response: { status: 200, description: "One page, oldest first.", schema: feedShape },
    refusals: ["WEBHOOK_NOT_FOUND", "INVALID_ARGUMENT"],
    admit: admitOwn,
    async handle({ tenant, query, patience }) {
      const asked = { holder: tenant, tenant, patience, ...toEventsAsked(query) };
      return { madeElsewhere: renderFeed(await readEvents(asked)) };
    },
  }),
];

/** Serialised by hand around the payloads, since their numbers must stay as they are. */
export function renderFeed({ events, next }: ListEventsResponse): Answer {
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
