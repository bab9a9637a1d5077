import { fieldTitle, withTitles } from "../../services/shared/kernel/schema-titles";
import type { DocumentSchema } from "../route";
import {
  amountSchema,
  arrayOf,
  booleanSchema,
  instantSchema,
  integerSchema,
  nullable,
  objectSchema,
  textSchema,
} from "./document-schema";
import { reasonFields, reasonNames } from "./reason-schema";
import { sampleOf } from "./sample-of";

/** The events that a subscription may receive: summary and body. */
interface WebhookEvent {
  summary: string;
  schema: DocumentSchema;
}

const eventName = (name: string): DocumentSchema =>
  textSchema("Name of the event, spelled as the subscription spells it.", { examples: [name] });
const tenantId = textSchema("Slug of the tenant.");
const version = integerSchema("Version of the body's form.", { const: 1 });

const transaction = {
  transactionId: textSchema("Id of the transaction; also the paymentId.", { format: "uuid" }),
  externalTransactionId: nullable(textSchema("The agent's or tenant's own id of it; null when it gave none.")),
  tenantId,
};
const newStatusMessages = arrayOf(textSchema("What happened, in words for people."));
const oldStatus = nullable(textSchema("Status before; null for the first event."));
const newStatus = textSchema("Status now, one of GET /.well-known/transaction-states.json.");

const agentSchema = objectSchema({
  id: textSchema("Id of the agent.", { format: "uuid" }),
  email: textSchema("How to reach it."),
  businessName: textSchema("Its name."),
  externalId: nullable(textSchema("The tenant's own name for it; null when it has none.")),
  status: textSchema("Status of the agent."),
  createdAt: instantSchema("When it was made."),
});

const events: Readonly<Record<string, WebhookEvent>> = {
  TransactionStatusChanged: {
    summary: "A transaction moved to another state.",
    schema: objectSchema(
      {
        event: eventName("TransactionStatusChanged"),
        ...transaction,
        oldStatus,
        newStatus,
        newStatusMessages,
        ...reasonFields,
      },
      reasonNames,
    ),
  },
  TransactionComplianceStatusChangedEvent: {
    summary: "The compliance status of a transaction changed.",
    schema: objectSchema(
      {
        event: eventName("TransactionComplianceStatusChangedEvent"),
        ...transaction,
        oldComplianceStatus: nullable(textSchema("Status before; null for the first event.")),
        newComplianceStatus: textSchema("Pending, Approved, Rejected, Cancelled, Failed or Refunded; others may come."),
        newStatusMessages,
        ...reasonFields,
      },
      reasonNames,
    ),
  },
  TransactionPayoutStatusChanged: {
    summary: "The payout of a transaction moved.",
    schema: objectSchema(
      {
        event: eventName("TransactionPayoutStatusChanged"),
        ...transaction,
        oldPayoutStatus: oldStatus,
        newPayoutStatus: textSchema(
          "Status of the payout now, such as PENDING, CAPTURED or DECLINED; others may come.",
        ),
        newStatusMessages,
        ...reasonFields,
        gatewayPaymentId: nullable(textSchema("The rail's own id of the payout; null before it has one.")),
        gmtReceipt: nullable(textSchema("The receipt that the recipient can show; null before there is one.")),
        amount: { ...amountSchema, type: ["object", "null"], description: "What the recipient gets." },
      },
      reasonNames,
    ),
  },
  DocumentUpdatedEvents: {
    summary: "An identity document or a KYC session got another verification status.",
    schema: objectSchema({
      event: eventName("DocumentUpdatedEvents"),
      id: textSchema("Id of the document or session."),
      entityId: textSchema("Id of the person or company."),
      entityType: textSchema("What it is: Participant or Person, which mean the same."),
      documentType: textSchema("Kind of document."),
      verificationStatus: textSchema(
        "PENDING, VERIFIED, REJECTED, SUPERSEDED, FAILED, ERRORED or EXPIRED, in any case; others may come.",
      ),
      occurredAt: instantSchema("When it happened, in whole seconds."),
      tenantId,
      version,
    }),
  },
  AgentUpdatedEvents: {
    summary: "An agent was made.",
    schema: objectSchema({
      event: eventName("AgentUpdatedEvents"),
      id: textSchema("Id of the event's agent."),
      before: { type: "null", description: "Always null: only the creation of an agent is announced." },
      after: agentSchema,
      tenantId,
      version,
    }),
  },
  WebhookTest: {
    summary: "A test of the endpoint was asked for.",
    schema: objectSchema({
      event: eventName("WebhookTest"),
      webhookId: textSchema("Id of the subscription."),
      tenantId,
      version,
    }),
  },
};

/** Every event in the form that one delivery carries. */
const eventVariants = Object.entries(events).map(([title, { schema }]): DocumentSchema => ({ title, ...schema }));

const placesByName = Object.keys(events).map((name) => [name, `#/components/schemas/${name}`] as const);

/** An event in the feed, which spells its name as this document does. A delivery repeats the spelling of its subscription. */
export const feedPayload = {
  description: "The event as deliveries carry it; `event` is spelled as here.",
  oneOf: eventVariants,
  discriminator: { propertyName: "event", mapping: Object.fromEntries(placesByName) },
};

const batchSchema = objectSchema({
  batchId: textSchema("Id of the batch, the same on every attempt."),
  isBatch: { ...booleanSchema("Always true."), const: true },
  events: arrayOf(
    { description: "One event, as it would be alone.", anyOf: eventVariants },
    { minItems: 1, maxItems: 50 },
  ),
});

const header = (name: string, description: string, required: boolean, example: string): object => ({
  name,
  in: "header",
  required,
  description,
  schema: withTitles({ type: "string" }, fieldTitle(name)),
  example,
});

const headers = [
  header(
    "x-service-event-id",
    "Id of the event or batch, the same on every attempt: drop what you have seen.",
    true,
    "5d2c7a10-8f3b-4c6e-9a41-7be02d9c1f53",
  ),
  header("x-service-sequence", "Position among the events of its transaction, document or agent, from 1.", true, "1"),
  header("x-service-delivery-attempt", "1, 2, 3 and so on.", true, "1"),
  header(
    "x-service-signature",
    "`t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` under the signing secret.",
    false,
    `t=1770091506,v1=${"5f".repeat(32)}`,
  ),
  header("webhook-id", "The event id in the form of Standard Webhooks.", false, "5d2c7a10-8f3b-4c6e-9a41-7be02d9c1f53"),
  header("webhook-timestamp", "Time of the attempt in seconds.", false, "1770091506"),
  header(
    "webhook-signature",
    "`v1,<base64 HMAC-SHA256> v1a,<base64 Ed25519>`.",
    false,
    "v1,mJ1yQ2xv0s1r6pV0l3o2k9i8u7y6t5r4e3w2q1a0s9d=",
  ),
];

const description =
  "A 2xx answer within ten seconds ends the delivery; anything else is tried again. Signed when the subscription has a secret.";

type Refer = (schema: DocumentSchema) => DocumentSchema;

const operationOf = (refer: Refer, name: string, { summary, schema }: WebhookEvent): object => ({
  post: {
    operationId: `on${name}`,
    summary,
    description,
    tags: ["Webhooks"],
    security: [],
    parameters: headers,
    requestBody: { required: true, content: { "application/json": contentOf(refer, name, schema) } },
    responses: {
      "2XX": { description: "The event has arrived." },
      "410": { description: "The endpoint is gone: the subscription is disabled." },
    },
  },
});

const contentOf = (refer: Refer, title: string, schema: DocumentSchema): object => ({
  schema: refer({ title, ...schema }),
  example: sampleOf(schema, title),
});

const batch: WebhookEvent = {
  summary: "Events of a subscription that was registered with isBatch, up to 50 together.",
  schema: batchSchema,
};

/** The `webhooks` of the OpenAPI document. */
export const webhookOperations = (refer: Refer): object =>
  Object.fromEntries(
    Object.entries({ ...events, EventBatch: batch }).map(([name, told]) => [name, operationOf(refer, name, told)]),
  );
