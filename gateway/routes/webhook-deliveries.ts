import { type Attempt, type Delivery, DeliveryState } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { parseInstant } from "../../services/shared/kernel/clock";
import { invalid } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Draft } from "../contract/draft";
import type { Answered, Infer } from "../contract/infer";
import {
  answer,
  closedQuery,
  flag,
  givenInstant,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  pageOrText,
  text,
} from "../contract/parts";
import type { ObjectSchema, Schema } from "../contract/schema";
import { columnsOf, type SendList } from "../csv";
import type { Route } from "../route";
import { admitOwn, subscriptionOf, tenantParam, webhookParams, webhooksPath } from "./webhooks";

const statuses = ["PENDING", "DELIVERED", "FAILED"] as const;
const failures = ["timeout", "connection", "address refused"] as const;
const path = `${webhooksPath}/{webhookId}` as const;
const deliveryParams = { ...webhookParams, deliveryId: "Id of the delivery." };

const summaryMembers = {
  id: { ...text("Id of the delivery."), format: "uuid" },
  eventId: text("Id of the event, `x-service-event-id`."),
  event: text("Name of the event as it was registered."),
  subjectId: text("Id of the transaction, document or agent."),
  sequence: integer("Position among the events of the subject, from 1."),
  status: oneOf("Whether it goes on.", statuses),
  attempts: integer("Attempts made so far."),
  lastStatus: orNull(integer("HTTP status of the last answer; null when there was none.")),
  occurredAt: instant("When the event happened."),
  createdAt: instant("When the delivery was made."),
  nextAttemptAt: orNull(instant("Not sent before; null unless pending.")),
  endedAt: orNull(instant("When it was delivered or given up; null while pending.")),
  batchId: orNull(text("Batch that it is sent in.")),
} as const;

const summaryShape = answer("WebhookDeliverySummary", "A delivery of an event to an endpoint.", summaryMembers);

const attemptShape = answer("WebhookAttempt", "An attempt to deliver.", {
  number: integer("1 for the first attempt."),
  at: instant("When it was made."),
  status: orNull(integer("HTTP status of the answer; null when there was none.")),
  durationMs: integer("Time it took, milliseconds."),
  failure: orNull(oneOf("Why there was no answer.", failures)),
});

const deliveryShape = answer("WebhookDelivery", "A delivery with what it sends and its last attempts.", {
  ...summaryMembers,
  body: text("The event's JSON, character for character as it is sent."),
  log: listOf("The last 20 attempts.", attemptShape),
});

const pageShape = answer("WebhookDeliveryPage", "A page of deliveries.", {
  deliveries: listOf("The deliveries, newest first.", summaryShape),
  next: orNull(text("`after` of the next page; null on the last.")),
});

const pageQuery = {
  type: "object",
  description: "Which deliveries are meant.",
  properties: {
    status: oneOf("Only in this state.", statuses),
    after: text("`next` of the page before."),
    limit: { ...integer("Longest page."), minimum: 1, maximum: 200, default: 25 },
  },
} as const satisfies ObjectSchema;

const allQuery = closedQuery("Which deliveries are meant.", {
  ...pageQuery.properties,
  subject: { ...text("Only of this transaction, document or agent."), minLength: 1, maxLength: 255 },
});

const allPageShape = answer("WebhookDeliveryOfAllPage", "A page of deliveries to all subscriptions.", {
  deliveries: listOf(
    "The deliveries, newest first.",
    answer("WebhookDeliveryOfAll", "A delivery of an event, with its endpoint.", {
      webhookId: text("Id of the subscription."),
      ...summaryMembers,
    }),
  ),
  next: orNull(text("`after` of the next page; null on the last.")),
});

const recoverRequest = {
  title: "WebhookRecovery",
  type: "object",
  description: "A span of time of which all events are sent again.",
  properties: {
    since: givenInstant("Events that happened then or later."),
    until: givenInstant("Events that happened before, after `since`; up to now when absent."),
  },
  required: ["since"],
  additionalProperties: false,
} as const satisfies Schema;

const recoveredShape = answer("WebhookRecovered", "What was recovered.", {
  recovered: integer("Deliveries that begin, or begin again."),
  isComplete: flag("False when there is more than one call looks at: send the same request again."),
});

type WebhookUpstream = Pick<Upstreams, "webhook">;
type DeliveryLists = WebhookUpstream & { sendList: SendList };

const common = {
  scheme: "tenant",
  scope: "webhooks",
  tag: "Webhooks",
  refusals: ["WEBHOOK_NOT_FOUND", "INVALID_ARGUMENT"],
  admit: admitOwn,
} as const;

/** Outcomes of deliveries, and redelivery. */
export const webhookDeliveryRoutes = (upstreams: DeliveryLists): readonly Route[] => [
  listRoute(upstreams),
  allRoute(upstreams),
  detailRoute(upstreams),
  redeliverRoute(upstreams),
  recoverRoute(upstreams),
  testRoute(upstreams),
];

const stateOf = (status: (typeof statuses)[number] | undefined): DeliveryState =>
  status === undefined ? DeliveryState.UNSPECIFIED : DeliveryState[status];

function listRoute({ webhook, sendList }: DeliveryLists): Route {
  const readPage = async (
    target: ReturnType<typeof subscriptionOf>,
    query: Pick<Draft<Infer<typeof pageQuery>>, "status">,
    { after = "", limit }: { after: string | undefined; limit: number },
  ) => {
    const { status } = query;
    const asked = { ...target, subjectId: undefined, state: stateOf(status), after, limit };
    const { deliveries, next } = await webhook.listDeliveries(asked);
    return { items: deliveries.map(renderSummary), next: next === "" ? undefined : next };
  };
  return defineRoute({
    ...common,
    method: "GET",
    path: `${path}/deliveries`,
    summary: "List deliveries of the last 30 days, newest first.",
    params: webhookParams,
    query: pageQuery,
    response: pageOrText(pageShape, "newest first"),
    whenRefused: ({ tenant = "", params: { webhookId = "" } = {}, query = {} }) =>
      readPage(subscriptionOf({ tenant, params: { webhookId } }), query, {
        after: query.after,
        limit: query.limit ?? pageQuery.properties.limit.default,
      }),
    async handle(call) {
      const target = subscriptionOf(call);
      const { tenant, headers, query } = call;
      return sendList({
        holder: tenant,
        headers,
        name: "deliveries",
        columns: columnsOf(Object.keys(summaryMembers)),
        query,
        read: (page) => readPage(target, query, page),
        render: ({ items, next }) => ({ deliveries: items, next: next ?? null }),
      });
    },
  });
}

/** Deliveries to all endpoints, each with its endpoint. */
const allRoute = ({ webhook, sendList }: DeliveryLists): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: "/organizations/{tenant}/deliveries",
    summary: "List deliveries of the last 30 days to all subscriptions, newest first.",
    params: tenantParam,
    query: allQuery,
    response: pageOrText(allPageShape, "newest first"),
    async handle({ tenant, headers, query }) {
      const { status, subject } = query;
      const asked = { tenant, subscriptionId: undefined, subjectId: subject, state: stateOf(status) };
      return sendList({
        holder: tenant,
        headers,
        name: "deliveries",
        columns: columnsOf(["webhookId", ...Object.keys(summaryMembers)]),
        query,
        async read({ after = "", limit }) {
          const { deliveries, next } = await webhook.listDeliveries({ ...asked, after, limit });
          const items = deliveries.map((one) => ({ webhookId: one.subscriptionId, ...renderSummary(one) }));
          return { items, next: next === "" ? undefined : next };
        },
        render: ({ items, next }) => ({ deliveries: items, next: next ?? null }),
      });
    },
  });

const detailRoute = ({ webhook }: WebhookUpstream): Route =>
  defineRoute({
    ...common,
    method: "GET",
    path: `${path}/deliveries/{deliveryId}`,
    summary: "One delivery with what it sends and its last 20 attempts.",
    params: deliveryParams,
    response: { status: 200, description: "The delivery.", schema: deliveryShape },
    async handle(call) {
      const { delivery } = await webhook.getDelivery(deliveryOf(call));
      return renderDelivery(delivery);
    },
  });

const redeliverRoute = ({ webhook }: WebhookUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: `${path}/deliveries/{deliveryId}/redeliver`,
    summary: "Send a delivery once more; a disabled subscription is enabled by it.",
    params: deliveryParams,
    response: { status: 200, description: "The delivery as it waits.", schema: deliveryShape },
    async handle(call) {
      const { delivery } = await webhook.redeliver(deliveryOf(call));
      return renderDelivery(delivery);
    },
  });

const recoverRoute = ({ webhook }: WebhookUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: `${path}/recover`,
    summary: "Enable the subscription, and send all that it missed in a span of time.",
    params: webhookParams,
    request: recoverRequest,
    response: { status: 200, description: "What was done.", schema: recoveredShape },
    async handle(call) {
      const since = parseInstant(call.body.since);
      const until = call.body.until === undefined ? undefined : parseInstant(call.body.until);
      const isSpan = since !== undefined && (until === undefined || since < until);
      if (!isSpan) throw invalid([{ field: "until", message: "must be after since" }]);
      const { recovered, isComplete } = await webhook.recover({ ...subscriptionOf(call), since, until });
      return { recovered, isComplete };
    },
  });

const testRoute = ({ webhook }: WebhookUpstream): Route =>
  defineRoute({
    ...common,
    method: "POST",
    path: `${path}/test`,
    summary: "Send a test event, once, also to a disabled subscription.",
    params: webhookParams,
    response: { status: 201, description: "The delivery of the test event.", schema: deliveryShape },
    async handle(call) {
      const { delivery } = await webhook.sendTest(subscriptionOf(call));
      return renderDelivery(delivery);
    },
  });

const deliveryOf = (call: { tenant: string; params: { webhookId: string; deliveryId: string } }) => ({
  ...subscriptionOf(call),
  deliveryId: call.params.deliveryId,
});

function renderDelivery(delivery: Delivery | undefined): Answered<typeof deliveryShape> {
  if (delivery === undefined) throw new Error("the webhook service sent no delivery");
  return { ...renderSummary(delivery), body: delivery.body, log: delivery.log.map(renderAttempt) };
}

function renderSummary(delivery: Delivery): Answered<typeof summaryShape> {
  const status = statuses.find((known) => DeliveryState[known] === delivery.state);
  if (status === undefined) throw new Error("a delivery has an unknown state");
  const { occurredAt, createdAt } = delivery;
  if (occurredAt === undefined || createdAt === undefined) throw new Error("a delivery has no time");
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    event: delivery.event,
    subjectId: delivery.subjectId,
    sequence: delivery.sequence,
    status,
    attempts: delivery.attempts,
    lastStatus: delivery.lastStatus ?? null,
    occurredAt,
    createdAt,
    nextAttemptAt: delivery.nextAttemptAt ?? null,
    endedAt: delivery.endedAt ?? null,
    batchId: delivery.batchId ?? null,
  };
}

function renderAttempt({ number, at, status, durationMs, failure }: Attempt): Answered<typeof attemptShape> {
  if (at === undefined) throw new Error("an attempt has no time");
  return {
    number,
    at,
    status: status ?? null,
    durationMs,
    failure: failures.find((known) => known === failure) ?? null,
  };
}
