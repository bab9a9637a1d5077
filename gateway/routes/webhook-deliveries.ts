import { type Attempt, type Delivery, DeliveryState } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { parseInstant } from "../../services/shared/clock";
import type { Upstreams } from "../clients";
import { readFields } from "../field-reader";
import { readQuery } from "../query-reader";
import { jsonAnswer, type Route, readJson, requireParam, type TenantCall } from "../route";
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  instantSchema,
  integerSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";
import { subscriptionOf, webhookParams, webhooksPath } from "./webhooks";

const tag = "Webhooks";
const defaultPageSize = 25;
const largestPageSize = 200;
const statuses = ["PENDING", "DELIVERED", "FAILED"] as const;
const path = `${webhooksPath}/{webhookId}`;
const deliveryParams = { ...webhookParams, deliveryId: "Id of the delivery." };

const summaryFields = {
  id: textSchema("Id of the delivery.", { format: "uuid" }),
  eventId: textSchema("Id of the event, `x-service-event-id`."),
  event: textSchema("Name of the event as it was registered."),
  subjectId: textSchema("Id of the transaction, document or agent."),
  sequence: integerSchema("Position among the events of the subject, from 1."),
  status: enumSchema("Whether it goes on.", statuses),
  attempts: integerSchema("Attempts made so far."),
  lastStatus: nullable(integerSchema("HTTP status of the last answer; null when there was none.")),
  occurredAt: instantSchema("When the event happened."),
  createdAt: instantSchema("When the delivery was made."),
  nextAttemptAt: nullable(instantSchema("Not sent before; null unless pending.")),
  endedAt: nullable(instantSchema("When it was delivered or given up; null while pending.")),
  batchId: nullable(textSchema("Batch that it is sent in.")),
};

const deliverySchema = objectSchema({
  ...summaryFields,
  body: textSchema("The event's JSON, character for character as it is sent."),
  log: arrayOf(
    objectSchema({
      number: integerSchema("1 for the first attempt."),
      at: instantSchema("When it was made."),
      status: nullable(integerSchema("HTTP status of the answer; null when there was none.")),
      durationMs: integerSchema("Time it took, milliseconds."),
      failure: nullable(enumSchema("Why there was no answer.", ["timeout", "connection", "address refused"])),
    }),
  ),
});

const listSchema = objectSchema({
  deliveries: arrayOf(objectSchema(summaryFields)),
  next: nullable(textSchema("`after` of the next page; null on the last.")),
});

const recoverSchema = objectSchema(
  {
    since: instantSchema("Events that happened then or later."),
    until: instantSchema("Events that happened before; up to now when absent."),
  },
  ["until"],
);

const recoveredSchema = objectSchema({
  recovered: integerSchema("Deliveries that begin, or begin again."),
  isComplete: booleanSchema("False when there is more than one call looks at: send the same request again."),
});

type WebhookUpstream = Pick<Upstreams, "webhook">;

const common = {
  scheme: "tenant",
  scope: "webhooks",
  tag,
  refusals: ["WEBHOOK_NOT_FOUND", "INVALID_ARGUMENT"],
} as const;

/** What became of deliveries, and sending them again. */
export const webhookDeliveryRoutes = (upstreams: WebhookUpstream): readonly Route[] => [
  listRoute(upstreams),
  detailRoute(upstreams),
  redeliverRoute(upstreams),
  recoverRoute(upstreams),
  testRoute(upstreams),
];

const listRoute = ({ webhook }: WebhookUpstream): Route => ({
  ...common,
  method: "GET",
  path: `${path}/deliveries`,
  summary: "List deliveries of the last 30 days, newest first.",
  body: "none",
  params: webhookParams,
  query: {
    status: { description: "Only in this state.", schema: enumSchema("State.", statuses) },
    after: { description: "`next` of the page before.", schema: textSchema("Cursor.") },
    limit: {
      description: `Longest page; ${defaultPageSize} when absent.`,
      schema: integerSchema("Count.", { minimum: 1, maximum: largestPageSize }),
    },
  },
  success: { status: 200, description: "One page.", schema: listSchema },
  async handle(call: TenantCall) {
    const target = subscriptionOf(call);
    const query = readQuery(call);
    const status = query.optionalText("status");
    const state = statuses.find((known) => known === status);
    query.check(status === undefined || state !== undefined, "status", `must be one of ${statuses.join(", ")}`);
    const limit = query.wholeNumber("limit", { min: 1, max: largestPageSize, fallback: defaultPageSize });
    const after = query.optionalText("after") ?? "";
    const page = { state: state === undefined ? DeliveryState.UNSPECIFIED : DeliveryState[state], after, limit };
    const { deliveries, next } = await query.finishWith(() =>
      webhook.listDeliveries({ ...target, subjectId: undefined, ...page }),
    );
    return jsonAnswer({ deliveries: deliveries.map(renderSummary), next: next === "" ? null : next });
  },
});

const detailRoute = ({ webhook }: WebhookUpstream): Route => ({
  ...common,
  method: "GET",
  path: `${path}/deliveries/{deliveryId}`,
  summary: "One delivery with what it sends and its last 20 attempts.",
  body: "none",
  params: deliveryParams,
  success: { status: 200, description: "The delivery.", schema: deliverySchema },
  async handle(call: TenantCall) {
    const { delivery } = await webhook.getDelivery(deliveryOf(call));
    return jsonAnswer(renderDelivery(delivery));
  },
});

const redeliverRoute = ({ webhook }: WebhookUpstream): Route => ({
  ...common,
  method: "POST",
  path: `${path}/deliveries/{deliveryId}/redeliver`,
  summary: "Send a delivery once more; a disabled subscription is enabled by it.",
  body: "none",
  params: deliveryParams,
  success: { status: 200, description: "The delivery as it waits.", schema: deliverySchema },
  async handle(call: TenantCall) {
    const { delivery } = await webhook.redeliver(deliveryOf(call));
    return jsonAnswer(renderDelivery(delivery));
  },
});

const recoverRoute = ({ webhook }: WebhookUpstream): Route => ({
  ...common,
  method: "POST",
  path: `${path}/recover`,
  summary: "Enable the subscription, and send all that it missed in a span of time.",
  body: "json",
  params: webhookParams,
  requestSchema: recoverSchema,
  success: { status: 200, description: "What was done.", schema: recoveredSchema },
  async handle(call: TenantCall) {
    const target = subscriptionOf(call);
    const fields = readFields(readJson(call).value);
    const [since, until] = [parseInstant(fields.text("since")), fields.optionalText("until")];
    const end = until === undefined ? undefined : parseInstant(until);
    fields.check(since !== undefined, "since", "must be an ISO 8601 time");
    fields.check(until === undefined || end !== undefined, "until", "must be an ISO 8601 time");
    fields.check(since === undefined || end === undefined || since < end, "until", "must be after since");
    fields.finish();
    const { recovered, isComplete } = await webhook.recover({ ...target, since, until: end });
    return jsonAnswer({ recovered, isComplete });
  },
});

const testRoute = ({ webhook }: WebhookUpstream): Route => ({
  ...common,
  method: "POST",
  path: `${path}/test`,
  summary: "Send a test event, once, also to a disabled subscription.",
  body: "none",
  params: webhookParams,
  success: { status: 201, description: "The delivery of the test event.", schema: deliverySchema },
  async handle(call: TenantCall) {
    const { delivery } = await webhook.sendTest(subscriptionOf(call));
    return jsonAnswer(renderDelivery(delivery), 201);
  },
});

const deliveryOf = (call: TenantCall) => ({ ...subscriptionOf(call), deliveryId: requireParam(call, "deliveryId") });

function renderDelivery(delivery: Delivery | undefined): object {
  if (delivery === undefined) throw new Error("the webhook service sent no delivery");
  return { ...renderSummary(delivery), body: delivery.body, log: delivery.log.map(renderAttempt) };
}

function renderSummary(delivery: Delivery): object {
  const status = statuses.find((known) => DeliveryState[known] === delivery.state);
  if (status === undefined) throw new Error("a delivery has an unknown state");
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    event: delivery.event,
    subjectId: delivery.subjectId,
    sequence: delivery.sequence,
    status,
    attempts: delivery.attempts,
    lastStatus: delivery.lastStatus ?? null,
    occurredAt: delivery.occurredAt,
    createdAt: delivery.createdAt,
    nextAttemptAt: delivery.nextAttemptAt ?? null,
    endedAt: delivery.endedAt ?? null,
    batchId: delivery.batchId ?? null,
  };
}

const renderAttempt = ({ number, at, status, durationMs, failure }: Attempt): object => ({
  number,
  at,
  status: status ?? null,
  durationMs,
  failure: failure === "" ? null : failure,
});
