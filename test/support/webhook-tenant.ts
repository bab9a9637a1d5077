import type { Dispatcher } from "undici";
import type { Platform } from "../../local/platform";
import { freshId, type PlatformClient, pushBody, type Reply, type SinkItem, until } from "./platform-client";

export type Body = Record<string, unknown>;

export const webhooksPath = "/organizations/demo/webhooks";

/** Patterns of a time and of an id in a delivery or a page of the feed. */
export const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/) as unknown;
export const someUuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as unknown;

export const parsed = (items: readonly SinkItem[]): Body[] => items.map(({ body }) => JSON.parse(body) as Body);

/** Tenant demo, with webhooks and events to deliver. */
export interface WebhookTenant {
  tenantHeaders: Record<string, string>;
  agentHeaders: Record<string, string>;
  call(method: Dispatcher.HttpMethod, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
  /** Registers a sink and returns the subscription's id. */
  register(sink: string, events: string[], more?: object): Promise<string>;
  end(...ids: string[]): Promise<void>;
  pay(): Promise<{ externalId: string; paymentId: string }>;
  /** Returns what a sink has received, once it is the expected number. */
  arrived(sink: string, count: number): Promise<SinkItem[]>;
  /** Deliveries of a subscription, newest first. */
  list(webhookId: string, query?: string): Promise<Body[]>;
}

export function connectWebhookTenant({ credentials }: Platform, client: PlatformClient): WebhookTenant {
  const tenant = credentials.tenants.find(({ tenant: slug }) => slug === "demo");
  const agent = tenant?.agents.find(({ status }) => status === "ACTIVE");
  const tenantHeaders = { "content-type": "application/json", "x-api-key": tenant?.apiKey ?? "" };
  const agentHeaders = { ...tenantHeaders, "x-agent-id": agent?.agentId ?? "", "x-agent-api-key": agent?.apiKey ?? "" };
  const call: WebhookTenant["call"] = (method, path, body, headers = tenantHeaders) =>
    client.send(method, path, headers, body === undefined ? undefined : JSON.stringify(body));
  return {
    tenantHeaders,
    agentHeaders,
    call,
    async register(sink, events, more = {}) {
      const url = `${credentials.sinkUrl}/${sink}`;
      const { status, body } = await until(
        () => call("POST", webhooksPath, { url, events, ...more }),
        (reply) => reply.status !== 503,
      );
      expect(status).toBe(200);
      return String(body["id"]);
    },
    async end(...ids) {
      for (const id of ids) expect((await call("DELETE", `${webhooksPath}/${id}`)).status).toBe(204);
    },
    async pay() {
      const externalId = freshId();
      const { status, body } = await client.pay(pushBody(externalId, await client.quote()));
      expect(status).toBe(200);
      return { externalId, paymentId: String(body["paymentId"]) };
    },
    arrived: (sink, count) =>
      until(
        () => client.sink(sink),
        (items) => items.length >= count,
        60_000,
      ),
    async list(webhookId, query = "") {
      const { body } = await call("GET", `${webhooksPath}/${webhookId}/deliveries${query}`);
      return body["deliveries"] as Body[];
    },
  };
}
