import type { FeedEvent } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import type { Upstreams } from "../clients";
import { readQuery } from "../query-reader";
import type { Answer, Route, TenantCall } from "../route";
import { arrayOf, instantSchema, integerSchema, objectSchema, textSchema } from "../schemas/document-schema";
import { ownTenant, tenantParam } from "./webhooks";

const defaultPageSize = 25;
const largestPageSize = 200;

const feedSchema = objectSchema({
  events: arrayOf(
    objectSchema({
      cursor: textSchema("Place of the event in the feed: `after` of what follows it."),
      id: textSchema("Id of the event, `x-service-event-id` of its deliveries."),
      sequence: integerSchema("Position among the events of its transaction, document or agent, from 1."),
      occurredAt: instantSchema("When it happened."),
      payload: { type: "object", description: "The event as deliveries carry it." },
    }),
  ),
  next: textSchema("`after` of the next page, also when this one is the last for now."),
});

/** Everything that webhooks tell, in one order, for callers that would rather ask. */
export const eventRoutes = ({ webhook }: Pick<Upstreams, "webhook">): readonly Route[] => [
  {
    method: "GET",
    path: "/organizations/{tenant}/events",
    scheme: "tenant",
    scope: "webhooks",
    tag: "Webhooks",
    summary: "Read the events of the last 30 days in order; nothing is missing between two pages.",
    body: "none",
    params: tenantParam,
    query: {
      after: {
        description: "`next` of an earlier page; the oldest event that is kept when absent.",
        schema: textSchema("Cursor.", { pattern: "^[0-9]{1,15}$" }),
      },
      limit: {
        description: `Longest page; ${defaultPageSize} when absent.`,
        schema: integerSchema("Count.", { minimum: 1, maximum: largestPageSize }),
      },
    },
    refusals: ["WEBHOOK_NOT_FOUND", "INVALID_ARGUMENT"],
    success: { status: 200, description: "One page, oldest first.", schema: feedSchema },
    async handle(call: TenantCall) {
      const tenant = ownTenant(call);
      const query = readQuery(call);
      const after = query.optionalText("after");
      query.check(after === undefined || /^\d{1,15}$/.test(after), "after", "must be `next` of an earlier page");
      const limit = query.wholeNumber("limit", { min: 1, max: largestPageSize, fallback: defaultPageSize });
      query.finish();
      const { events, next } = await webhook.listEvents({
        tenant,
        after: after === undefined ? undefined : BigInt(after),
        limit,
      });
      return renderFeed(events, next);
    },
  },
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
