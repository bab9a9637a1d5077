import type { Subscription } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { DomainError } from "../../services/shared/errors";
import type { JsonObject } from "../../services/shared/json";
import type { Upstreams } from "../clients";
import { jsonAnswer, noContent, type Route, readJson, requireParam, type TenantCall } from "../route";
import {
  arrayOf,
  booleanSchema,
  enumSchema,
  instantSchema,
  nullable,
  objectSchema,
  textSchema,
} from "../schemas/document-schema";

const tag = "Webhooks";
export const tenantParam = { tenant: "Slug of the tenant that the API key belongs to." };
export const webhookParams = { ...tenantParam, webhookId: "Id of the subscription." };
export const webhooksPath = "/organizations/{tenant}/webhooks";
const maxEvents = 50;

const subscriptionSchema = objectSchema({
  id: textSchema("Id of the subscription.", { format: "uuid" }),
  url: textSchema("Where events are sent."),
  events: arrayOf(textSchema("Event name as it was registered.")),
  isBatch: booleanSchema("True when events come in batches."),
  createdAt: instantSchema("When it was registered."),
  signatureVersion: nullable(textSchema("Scheme of the signature; null without a secret.")),
  secretFingerprint: nullable(textSchema("First 8 hex characters of the secret's SHA-256; null without a secret.")),
  secretRotatedAt: nullable(instantSchema("When the secret was made; null without a secret.")),
  publicKey: nullable(textSchema("Ed25519 public key of the `v1a` signatures; null without a secret.")),
  disabledAt: nullable(instantSchema("Since when nothing is sent; null while it is enabled.")),
  disabledReason: nullable(
    enumSchema("Why: the endpoint answered 410, or nothing succeeded for five days.", ["gone", "failing"]),
  ),
});

const createSchema = objectSchema(
  {
    url: textSchema("HTTPS address of the endpoint.", { format: "uri", maxLength: 2048 }),
    events: arrayOf(textSchema("Event name; matching ignores case."), { minItems: 1, maxItems: maxEvents }),
    isBatch: booleanSchema("True to get events in batches; false when absent."),
  },
  ["isBatch"],
);

const secretSchema = objectSchema({
  signingSecret: textSchema("The secret, shown only here.", { minLength: 44, maxLength: 44 }),
  secretFingerprint: textSchema("First 8 hex characters of the secret's SHA-256.", { pattern: "^[0-9a-f]{8}$" }),
  signatureVersion: enumSchema("Scheme of the signature.", ["v1"]),
  secretRotatedAt: instantSchema("When the secret was made."),
});

/** A tenant sees its own path only; any other answers as if it did not exist. */
export function ownTenant(call: TenantCall): string {
  if (requireParam(call, "tenant") !== call.tenant) {
    throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription");
  }
  return call.tenant;
}

export const subscriptionOf = (call: TenantCall): { tenant: string; subscriptionId: string } => ({
  tenant: ownTenant(call),
  subscriptionId: requireParam(call, "webhookId"),
});

export function webhookRoutes(upstreams: Pick<Upstreams, "webhook">): readonly Route[] {
  return [...subscriptionRoutes(upstreams), ...secretRoutes(upstreams)];
}

function subscriptionRoutes({ webhook }: Pick<Upstreams, "webhook">): readonly Route[] {
  const path = webhooksPath;
  const common = { scheme: "tenant", scope: "webhooks", tag, refusals: ["WEBHOOK_NOT_FOUND"] } as const;
  return [
    {
      ...common,
      method: "POST",
      isPrivileged: true,
      path,
      summary: "Register an endpoint for events.",
      body: "json",
      params: tenantParam,
      requestSchema: createSchema,
      success: { status: 200, description: "The new subscription.", schema: subscriptionSchema },
      async handle(call: TenantCall) {
        const tenant = ownTenant(call);
        const { subscription } = await webhook.createSubscription({
          tenant,
          ...readSubscription(readJson(call).value),
        });
        return jsonAnswer(renderSubscription(subscription));
      },
    },
    {
      ...common,
      method: "GET",
      path,
      summary: "List the subscriptions of the tenant, oldest first.",
      body: "none",
      params: tenantParam,
      success: {
        status: 200,
        description: "Every subscription.",
        schema: objectSchema({ webhooks: arrayOf(subscriptionSchema) }),
      },
      async handle(call: TenantCall) {
        const { subscriptions } = await webhook.listSubscriptions({ tenant: ownTenant(call) });
        return jsonAnswer({ webhooks: subscriptions.map(renderSubscription) });
      },
    },
    {
      ...common,
      method: "DELETE",
      isPrivileged: true,
      path: `${path}/{webhookId}`,
      summary: "End a subscription.",
      body: "none",
      params: webhookParams,
      success: { status: 204, description: "Nothing is sent to it any more." },
      async handle(call: TenantCall) {
        await webhook.deleteSubscription(subscriptionOf(call));
        return noContent;
      },
    },
  ];
}

function secretRoutes({ webhook }: Pick<Upstreams, "webhook">): readonly Route[] {
  const common = {
    path: `${webhooksPath}/{webhookId}/secret`,
    scheme: "agent",
    scope: "webhooks",
    tag,
    body: "none",
    params: webhookParams,
    refusals: ["WEBHOOK_NOT_FOUND"],
  } as const;
  return [
    {
      ...common,
      method: "POST",
      isPrivileged: true,
      limit: "secretRotation",
      summary: "Make a signing secret, or replace it at once.",
      success: { status: 200, description: "The secret, shown only here.", schema: secretSchema },
      async handle(call: TenantCall) {
        const secret = await webhook.rotateSecret(subscriptionOf(call));
        const { signingSecret, secretFingerprint, signatureVersion, secretRotatedAt } = secret;
        return jsonAnswer({ signingSecret, secretFingerprint, signatureVersion, secretRotatedAt });
      },
    },
    {
      ...common,
      method: "DELETE",
      isPrivileged: true,
      summary: "Drop the signing secret; deliveries are unsigned afterwards.",
      success: { status: 204, description: "Deliveries are unsigned from now on." },
      async handle(call: TenantCall) {
        await webhook.deleteSecret(subscriptionOf(call));
        return noContent;
      },
    },
  ];
}

/** What is missing or of a wrong type is handed on as such: the webhook service says what is wrong of all fields at once. */
function readSubscription({ url, events, isBatch = false }: JsonObject) {
  return {
    url: textOf(url),
    events: Array.isArray(events) ? events.map(textOf) : [],
    isBatch: isBatch === true,
    isBatchMalformed: typeof isBatch !== "boolean",
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function renderSubscription(subscription: Subscription | undefined): object {
  if (subscription === undefined) throw new Error("the webhook service sent no subscription");
  const { disabledAt, disabledReason } = subscription;
  return {
    id: subscription.id,
    url: subscription.url,
    events: subscription.events,
    isBatch: subscription.isBatch,
    createdAt: subscription.createdAt,
    signatureVersion: subscription.signatureVersion ?? null,
    secretFingerprint: subscription.secretFingerprint ?? null,
    secretRotatedAt: subscription.secretRotatedAt ?? null,
    publicKey: subscription.publicKey ?? null,
    disabledAt: disabledAt ?? null,
    disabledReason: disabledReason === "" ? null : disabledReason,
  };
}
