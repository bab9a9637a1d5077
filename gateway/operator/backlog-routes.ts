import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import { answer, closedQuery, instant, integer, listOf, orNull, text } from "../contract/parts";
import type { Route } from "../route";
import { pageMembers } from "./page";

const query = closedQuery("How many are shown.", { limit: pageMembers.limit });

const erasures = answer("OutstandingErasures", "Erasures that a vendor has not acknowledged.", {
  erasures: listOf(
    "Those outstanding for longest first.",
    answer("OutstandingErasure", "An erasure that a vendor has not acknowledged.", {
      tenant: text("Slug of the tenant."),
      participantId: text("Id of the person or company that was erased."),
      erasedAt: orNull(instant("When it was erased here.")),
      outstandingSince: orNull(instant("Since when a vendor owes its acknowledgement.")),
      tries: integer("How often the vendors were asked in vain."),
      sessionIds: listOf("Its sessions, by the ids that the vendor knows.", text("Id of a session.")),
      documentIds: listOf("Its documents, by the ids that the vendor knows.", text("Id of a document.")),
    }),
  ),
});

const backlog = answer("WebhookBacklog", "Subscriptions that have something undelivered.", {
  backlogs: listOf(
    "Those due for longest first.",
    answer("SubscriptionBacklog", "What a subscription has still to get.", {
      tenant: text("Slug of the tenant."),
      webhookId: text("Id of the subscription."),
      waiting: integer("Deliveries that wait, counted up to 100."),
      oldestAt: orNull(instant("When the oldest of them was made.")),
      dueAt: orNull(instant("When it is looked at next.")),
      failures: integer("Failed attempts at the endpoint in a row."),
      pausedUntil: orNull(instant("The endpoint is left alone until then; null while it is not.")),
      disabledAt: orNull(instant("Since when nothing is sent; null while it is enabled.")),
    }),
  ),
});

const common = { method: "GET", scheme: "operator", query, refusals: [] } as const;

/** Backlogs of work that waits for other parties, for operators. */
export const backlogRoutes = ({ identity, webhook }: Pick<Upstreams, "identity" | "webhook">): readonly Route[] => [
  defineRoute({
    ...common,
    path: "/erasures",
    tag: "Participants",
    summary: "List erasures that a vendor has not acknowledged, by the ids that it knows.",
    response: { status: 200, description: "Those outstanding for longest first.", schema: erasures },
    async handle({ query: { limit } }) {
      const found = await identity.listErasures({ limit });
      return {
        erasures: found.erasures.map(({ erasedAt, outstandingSince, ...erasure }) => ({
          ...erasure,
          erasedAt: erasedAt ?? null,
          outstandingSince: outstandingSince ?? null,
        })),
      };
    },
  }),
  defineRoute({
    ...common,
    path: "/webhooks/backlog",
    tag: "Webhooks",
    summary: "List subscriptions that have something undelivered.",
    response: { status: 200, description: "Those due for longest first.", schema: backlog },
    async handle({ query: { limit } }) {
      const { backlogs } = await webhook.listBacklog({ limit });
      return {
        backlogs: backlogs.map(({ subscriptionId: webhookId, oldestAt, dueAt, pausedUntil, disabledAt, ...one }) => ({
          ...one,
          webhookId,
          oldestAt: oldestAt ?? null,
          dueAt: dueAt ?? null,
          pausedUntil: pausedUntil ?? null,
          disabledAt: disabledAt ?? null,
        })),
      };
    },
  }),
];
