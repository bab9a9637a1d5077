import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import { Agent, type Dispatcher } from "undici";
import type { Platform } from "../../local/platform";
import { seeWebhook } from "./exchange-observer";

/** An HTTP answer with its raw text, for comparisons byte by byte. */
export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: Record<string, unknown>;
}

/** One webhook as the receiver stored it. */
export interface SinkItem {
  sequence: number;
  headers: Record<string, string>;
  body: string;
}

/** One instruction in the sandbox's own book: the independent record of actual payments. */
export interface BookEntry {
  reference: string;
  status: string;
  amount: string;
  releases: number;
  prepareCalls: number;
  releaseCalls: number;
}

export interface Quote {
  fxId: string;
  conversionRate: number;
}

/** A client of a running platform, like a tenant's server. */
export interface PlatformClient {
  send(method: Dispatcher.HttpMethod, path: string, headers: Record<string, string>, body?: string): Promise<Reply>;
  token(): Promise<string>;
  quote(): Promise<Quote>;
  pay(body: object | string): Promise<Reply>;
  payment(externalId: string): Promise<Reply>;
  /** Registers the named receiver for an event and sets a signing secret; returns the secret. */
  subscribe(sink: string, events?: string[]): Promise<string>;
  sink(name: string, after?: number): Promise<SinkItem[]>;
  book(): Promise<BookEntry[]>;
  fault(rule: object): Promise<void>;
  clearFaults(): Promise<void>;
  close(): Promise<void>;
}

/** The body of a push of 100 USD to a PIX key. */
export function pushBody(externalPaymentId: string, quote: Quote, changes: object = {}): Record<string, unknown> {
  return {
    externalPaymentId,
    ipAddress: "203.0.113.7",
    paymentType: "PUSH",
    amount: { total: 100, currency: "USD" },
    recipientAmount: { total: 100 * quote.conversionRate, currency: "BRL" },
    fxId: quote.fxId,
    sender: {
      firstName: "Ada",
      lastName: "Lovelace",
      address: { countryCode: "GBR", city: "London", line1: "12 Hill Road" },
    },
    recipient: {
      firstName: "Maria",
      lastName: "Souza",
      documents: [{ document: "390.533.447-05", type: "CPF" }],
      paymentMethod: { type: "PIX", countryCode: "BRA", key: "maria.souza@example.com", keyType: "EMAIL" },
    },
    additionalData: {},
    ...changes,
  };
}

export const pushStates = [
  "Created",
  "ProcessingPayout",
  "PayoutAccepted",
  "ReviewApproved",
  "WaitingPayout",
  "Paid",
  "Completed",
];

/** The authority that a client of an HTTPS door trusts, and the name that the certificate must have. */
export interface TrustedDoor {
  ca: string;
  servername: string;
}

/** Opens a client for one of the platform's tenants. */
export function connectClient(
  { credentials }: Pick<Platform, "credentials">,
  tenantName = "demo",
  door?: TrustedDoor,
): PlatformClient {
  const tenant = credentials.tenants.find((candidate) => candidate.tenant === tenantName);
  const agentOf = tenant?.agents.find(({ status }) => status === "ACTIVE");
  if (tenant === undefined || agentOf === undefined) throw new Error(`no tenant ${tenantName} with an approved agent`);
  const connect = door === undefined ? {} : { connect: { ...door } };
  const agent = new Agent({ connections: 64, headersTimeout: 60_000, bodyTimeout: 60_000, ...connect });
  const json = { "content-type": "application/json" };
  let bearer: Promise<string> | undefined;

  const sendTo = async (
    base: string,
    method: Dispatcher.HttpMethod,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ) => {
    const response = await agent.request({
      origin: base,
      path,
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      parsed = {};
    }
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      body: Object(parsed) as Record<string, unknown>,
    };
  };
  const send: PlatformClient["send"] = (method, path, headers, body) =>
    sendTo(credentials.baseUrl, method, path, headers, body);
  const sandbox = (method: Dispatcher.HttpMethod, path: string, body?: object) =>
    sendTo(credentials.sandboxUrl, method, path, json, body === undefined ? undefined : JSON.stringify(body));
  const fetchToken = async (): Promise<string> => {
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: tenant.clientId,
      client_secret: tenant.clientSecret,
    });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const reply = await insist(() => send("POST", "/oauth/token", type, form.toString()));
    if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text}`);
    return String(reply.body["access_token"]);
  };
  const token = async (): Promise<string> => {
    bearer ??= fetchToken();
    try {
      return await bearer;
    } catch (error) {
      bearer = undefined;
      throw error;
    }
  };
  /** Calls with the token, and once more with a new one after a refusal, since the sandbox clock may have moved. */
  const ask = async (method: Dispatcher.HttpMethod, path: string, body?: string): Promise<Reply> => {
    const attempt = async () => send(method, path, { ...json, authorization: `Bearer ${await token()}` }, body);
    const reply = await attempt();
    if (reply.status !== 401) return reply;
    bearer = undefined;
    return attempt();
  };
  return {
    send,
    token,
    async quote() {
      const order = { sourceCurrencyCode: "USD", destinationCurrencyCode: "BRL", paymentMethod: "BANK_ACCOUNT" };
      const reply = await insist(() => ask("POST", "/v2/foreign-exchange", JSON.stringify(order)));
      if (reply.status !== 200) throw new Error(`no quote: ${reply.status} ${reply.text}`);
      return { fxId: String(reply.body["fxId"]), conversionRate: Number(reply.body["conversionRate"]) };
    },
    pay: (body) => ask("POST", "/v2/payment", typeof body === "string" ? body : JSON.stringify(body)),
    payment: (externalId) => ask("GET", `/v2/payment/${externalId}`),
    async subscribe(sink, events = ["TransactionStatusChanged"]) {
      const headers = { ...json, "x-api-key": tenant.apiKey };
      const url = `${credentials.sinkUrl}/${sink}`;
      const path = `/organizations/${tenant.tenant}/webhooks`;
      const created = await insist(() => send("POST", path, headers, JSON.stringify({ url, events })));
      if (created.status !== 200) throw new Error(`no subscription: ${created.status} ${created.text}`);
      const withAgent = { ...headers, "x-agent-id": agentOf.agentId, "x-agent-api-key": agentOf.apiKey };
      const secret = await insist(() => send("POST", `${path}/${String(created.body["id"])}/secret`, withAgent));
      if (secret.status !== 200) throw new Error(`no secret: ${secret.status} ${secret.text}`);
      return String(secret.body["signingSecret"]);
    },
    async sink(name, after = 0) {
      const { body } = await sandbox("GET", `/sink/${name}?after=${after}`);
      const items = body["items"] as SinkItem[];
      for (const item of items) seeWebhook(item.body);
      return items;
    },
    async book() {
      const { body } = await sandbox("GET", "/book");
      return body["instructions"] as BookEntry[];
    },
    async fault(rule) {
      const { status, text } = await sandbox("POST", "/faults", rule);
      if (status >= 300) throw new Error(`no fault: ${text}`);
    },
    async clearFaults() {
      await sandbox("DELETE", "/faults");
    },
    close: () => agent.destroy(),
  };
}

/** Repeats a query until the answer is the expected one; throws the last answer when it is not within `patienceMs`. */
export async function until<T>(ask: () => Promise<T>, isRight: (value: T) => boolean, patienceMs = 60_000): Promise<T> {
  const value = await lastAnswer(ask, isRight, patienceMs);
  if (!isRight(value)) throw new Error(`what was awaited did not come; the last answer: ${inspect(value)}`);
  return value;
}

/** Repeats a query until the answer is the expected one, for at most `patienceMs`; returns the last answer either way. */
async function lastAnswer<T>(ask: () => Promise<T>, isRight: (value: T) => boolean, patienceMs: number): Promise<T> {
  const giveUpAt = Date.now() + patienceMs;
  for (;;) {
    const value = await ask();
    if (isRight(value) || Date.now() > giveUpAt) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Repeats a request while the platform is unavailable or still works on the same request, as a careful client does: the same
 * body, until there is an answer.
 */
export async function insist(send: () => Promise<Reply>, patienceMs = 60_000): Promise<Reply> {
  const unavailable = (): Reply => ({ status: 599, headers: {}, text: "no answer", body: {} });
  return lastAnswer(
    () => send().catch(unavailable),
    ({ status, body }) => status < 500 && body["code"] !== "IDM_001",
    patienceMs,
  );
}

export const freshId = (): string => `order-${randomUUID()}`;

/** States that a receiver got for one payment, in order of arrival, without repeats of one event. */
export function statesOf(items: readonly SinkItem[], externalId?: string): string[] {
  const seen = new Set<string>();
  return items.flatMap(({ headers, body }) => {
    const event = JSON.parse(body) as { newStatus?: string; externalTransactionId: string };
    const id = headers["x-service-event-id"] ?? body;
    if (event.newStatus === undefined || seen.has(id)) return [];
    if (externalId !== undefined && event.externalTransactionId !== externalId) return [];
    seen.add(id);
    return [event.newStatus];
  });
}
