import { defineRoute } from "../contract/define-route";
import { closedQuery } from "../contract/parts";
import type { ReadEvents } from "../read-events";
import type { Route } from "../route";
import { feedMembers, feedShape, renderFeed, toEventsAsked } from "../routes/events";

/** A tenant's events, as the tenant itself can read them. */
export const operatorEventRoutes = (readEvents: ReadEvents): readonly Route[] => [
  defineRoute({
    method: "GET",
    path: "/tenants/{tenant}/events",
    scheme: "operator",
    tag: "Webhooks",
    summary: "Read the events of a tenant in order, or wait for the next; nothing is missing between two pages.",
    params: { tenant: "Slug of the tenant." },
    query: closedQuery("Which page is meant.", feedMembers),
    response: { status: 200, description: "One page, oldest first.", schema: feedShape },
    refusals: ["INVALID_ARGUMENT"],
    async handle({ operator, params: { tenant }, query, patience }) {
      const asked = { holder: `operator:${operator}`, tenant, patience, ...toEventsAsked(query) };
      return { madeElsewhere: renderFeed(await readEvents(asked)) };
    },
  }),
];
