import type { Subscription } from "../../proto/gen/corridor/webhook/v1/webhook_service";
import { DomainError, hasReason, invalid } from "../../services/shared/kernel/errors";
import type { Upstreams } from "../clients";
import { defineRoute } from "../contract/define-route";
import type { Answered } from "../contract/infer";
import { answer, flag, instant, listOf, oneOf, orNull, text, words } from "../contract/parts";
import type { Schema } from "../contract/schema";
import type { Route } from "../route";

export const tenantParam = { tenant: "Slug of the tenant that the API key belongs to." };
export const webhookParams = { ...tenantParam, webhookId: "Id of the subscription." };
export const webhooksPath = "/organizations/{tenant}/webhooks";

const subscriptionShape = answer("WebhookSubscription", "An endpoint and the events that it gets.", {
  id: { ...text("Id of the subscription."), format: "uuid" },
  url: text("Where events are sent."),
  events: listOf("Events that it gets.", text("Event name as it was registered.")),
  isBatch: flag("True when events come in batches."),
  createdAt: instant("When it was registered."),
  signatureVersion: orNull(text("Scheme of the signature; null without a secret.")),
  secretFingerprint: orNull(text("First 8 hex characters of the secret's SHA-256; null without a secret.")),
  secretRotatedAt: orNull(instant("When the secret was made; null without a secret.")),
  publicKey: orNull(text("Ed25519 public key of the `v1a` signatures; null without a secret.")),
  disabledAt: orNull(instant("Since when nothing is sent; null while it is enabled.")),
  disabledReason: orNull(
    oneOf("Why: the endpoint answered 410, or nothing succeeded for five days.", ["gone", "failing"]),
  ),
});

const subscriptionsShape = answer("WebhookSubscriptions", "The subscriptions of a tenant.", {
  webhooks: listOf("Every subscription, oldest first.", subscriptionShape),
});

const subscriptionRequest = {
  title: "WebhookSubscriptionRequest",
  type: "object",
  description: "An endpoint and the events that it is to get.",
  properties: {
    url: {
      type: "string",
      description: "HTTPS address of the endpoint.",
      maxLength: 2048,
      pattern: "^[Hh][Tt][Tt][Pp][Ss]://[^\\s/#\\\\\\x00-\\x1f\\x7f-\\x9f][^\\s#\\\\\\x00-\\x1f\\x7f-\\x9f]*$",
      rule: "must be an https:// URL of at most 2048 characters, without white space, backslashes and a fragment",
      examples: ["https://example.com/webhooks"],
    },
    events: {
      ...listOf("Events that it is to get.", {
        ...words("Event name; matching ignores case."),
        examples: ["TransactionStatusChanged"],
      }),
      minItems: 1,
      maxItems: 50,
    },
    isBatch: { ...flag("True to get events in batches."), default: false },
  },
  required: ["url", "events"],
  additionalProperties: false,
} as const satisfies Schema;

const secretShape = answer("WebhookSecret", "A new signing secret.", {
  signingSecret: { ...text("The secret, shown only here."), minLength: 44, maxLength: 44 },
  secretFingerprint: { ...text("First 8 hex characters of the secret's SHA-256."), pattern: "^[0-9a-f]{8}$" },
  signatureVersion: oneOf("Scheme of the signature.", ["v1"]),
  secretRotatedAt: instant("When the secret was made."),
});

interface OwnCall {
  tenant: string;
  params: { tenant: string };
}

/** A tenant can use its own path only; any other answers as if it did not exist. */
export function admitOwn({ tenant, params }: OwnCall): void {
  if (params.tenant !== tenant) throw new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription");
}

export const subscriptionOf = ({ tenant, params }: { tenant: string; params: { webhookId: string } }) => ({
  tenant,
  subscriptionId: params.webhookId,
});

const own = { tag: "Webhooks", refusals: ["WEBHOOK_NOT_FOUND"], admit: admitOwn } as const;

export const webhookRoutes = (upstreams: Pick<Upstreams, "webhook">): readonly Route[] => [
  createRoute(upstreams),
  ...subscriptionRoutes(upstreams),
  ...secretRoutes(upstreams),
];

const createRoute = ({ webhook }: Pick<Upstreams, "webhook">): Route =>
  defineRoute({
    ...own,
    scheme: "tenant",
    scope: "webhooks",
    method: "POST",
    isPrivileged: true,
    limit: "webhookChange",
    path: webhooksPath,
    summary: "Register an endpoint for events.",
    params: tenantParam,
    request: subscriptionRequest,
    response: { status: 200, description: "The new subscription.", schema: subscriptionShape },
    async whenRefused({ tenant = "", body: { url = "", events = [] } = {} }) {
      const named = events.map((event = "") => event);
      try {
        // The service registers nothing for a malformed request, and reports what else is wrong.
        const request = { tenant, url, events: named, isBatch: false, isBatchMalformed: true };
        await webhook.createSubscription(request);
      } catch (error) {
        if (!hasReason(error, "INVALID_ARGUMENT")) throw error;
        throw invalid(error.violations.filter(({ field }) => field !== "isBatch"));
      }
    },
    async handle({ tenant, body: { url, events, isBatch } }) {
      const request = { tenant, url, events: [...events], isBatch, isBatchMalformed: false };
      const { subscription } = await webhook.createSubscription(request);
      return renderSubscription(subscription);
    },
  });

const subscriptionRoutes = ({ webhook }: Pick<Upstreams, "webhook">): readonly Route[] => [
  defineRoute({
    ...own,
    scheme: "tenant",
    scope: "webhooks",
    method: "GET",
    path: webhooksPath,
    summary: "List the subscriptions of the tenant, oldest first.",
    params: tenantParam,
    response: { status: 200, description: "Every subscription.", schema: subscriptionsShape },
    async handle({ tenant }) {
      const { subscriptions } = await webhook.listSubscriptions({ tenant });
      return { webhooks: subscriptions.map(renderSubscription) };
    },
  }),
  defineRoute({
    ...own,
    scheme: "tenant",
    scope: "webhooks",
    method: "DELETE",
    isPrivileged: true,
    limit: "webhookChange",
    path: `${webhooksPath}/{webhookId}`,
    summary: "End a subscription.",
    params: webhookParams,
    response: { status: 204, description: "Nothing is sent to it any more." },
    async handle(call) {
      await webhook.deleteSubscription(subscriptionOf(call));
    },
  }),
];

const secretRoutes = ({ webhook }: Pick<Upstreams, "webhook">): readonly Route[] => [
  defineRoute({
    ...own,
    scheme: "agent",
    scope: "webhooks",
    method: "POST",
    isPrivileged: true,
    limit: "secretRotation",
    path: `${webhooksPath}/{webhookId}/secret`,
    summary: "Make a signing secret, or replace it at once.",
    params: webhookParams,
    response: { status: 200, description: "The secret, shown only here.", schema: secretShape },
    async handle(call) {
      const { signingSecret, secretFingerprint, secretRotatedAt } = await webhook.rotateSecret(subscriptionOf(call));
      if (secretRotatedAt === undefined) throw new Error("the webhook service sent no time of the secret");
      return { signingSecret, secretFingerprint, signatureVersion: "v1" as const, secretRotatedAt };
    },
  }),
  defineRoute({
    ...own,
    scheme: "agent",
    scope: "webhooks",
    method: "DELETE",
    isPrivileged: true,
    limit: "webhookChange",
    path: `${webhooksPath}/{webhookId}/secret`,
    summary: "Drop the signing secret; deliveries are unsigned afterwards.",
    params: webhookParams,
    response: { status: 204, description: "Deliveries are unsigned from now on." },
    async handle(call) {
      await webhook.deleteSecret(subscriptionOf(call));
    },
  }),
];

/** Maps the service's reasons for a disabled subscription. */
const disabledReasons = ["gone", "failing"] as const;

function renderSubscription(subscription: Subscription | undefined): Answered<typeof subscriptionShape> {
  if (subscription?.createdAt === undefined) throw new Error("the webhook service sent no subscription");
  const { disabledReason } = subscription;
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
    disabledAt: subscription.disabledAt ?? null,
    disabledReason: disabledReasons.find((known) => known === disabledReason) ?? null,
  };
}
