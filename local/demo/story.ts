import { randomBytes } from "node:crypto";
import type { TenantCredentials } from "../bootstrap";
import { type CollectedSpan, renderSpanTree } from "../span-tree";
import { checkEachKind } from "./checks";
import { payEachKind } from "./payments";
import { verifyPerson } from "./sessions";
import { type Answer, type Caller, expect, line, makeCaller } from "./transcript";
import { followStates } from "./webhooks";

/** The states of a push by PIX: the specified ten steps without the three of a pull. */
const pushStates = [
  "Created",
  "ProcessingPayout",
  "PayoutAccepted",
  "ReviewApproved",
  "WaitingPayout",
  "Paid",
  "Completed",
];

/** Processes that a payment touches; the trace must show each of them. */
const tracedServices = ["gateway", "auth", "schema", "fx", "payment", "webhook"];

export interface Stage {
  baseUrl: string;
  /** Base address of the sandbox world, as a person reads the sink. */
  sandboxUrl: string;
  /** Base address of webhook sinks, as the platform reaches them. */
  sinkUrl: string;
  tenant: TenantCredentials;
  spans(traceId: string): CollectedSpan[];
  /** Called with the subscription before anything is paid. */
  meddle(subscriptionPath: string, call: Caller, agentHeaders: Record<string, string>): Promise<void>;
}

const text = (answer: Answer, field: string): string => String(answer.json[field]);
const json = { "content-type": "application/json" };

/** Pays one payment of each kind through REST and checks every step. Throws at the first that does not do what it should. */
export async function payOnce(stage: Stage): Promise<void> {
  const run = randomBytes(6).toString("hex");
  const traceId = randomBytes(16).toString("hex");
  const call = makeCaller(stage.baseUrl, { traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-01` });
  const bearer = await authorise(call, stage.tenant);
  await readSchema(call, bearer);
  const sink = `demo-${run}`;
  const secret = await subscribe(stage, call, `${stage.sinkUrl}/${sink}`);
  const payment = await quoteAndPay(call, bearer, `demo-${run}`);
  await followStates(`${stage.sandboxUrl}/sink/${sink}`, secret, pushStates);
  await lookUp(call, bearer, `demo-${run}`);
  await payAgain(call, bearer, payment);
  await payEachKind(call, bearer, run);
  await checkEachKind(call, { bearer, run, sandboxUrl: stage.sandboxUrl });
  await verifyPerson(call, bearer, `demo-${run}`);
  await showTrace(stage, traceId);
}

async function authorise(call: Caller, { clientId, clientSecret }: TenantCredentials): Promise<Record<string, string>> {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
  });
  const token = await call({
    method: "POST",
    path: "/oauth/token",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
    status: 200,
    say: (answer) => `${text(answer, "token_type")} token for ${text(answer, "expires_in")} s`,
  });
  return { authorization: `Bearer ${text(token, "access_token")}` };
}

async function readSchema(call: Caller, bearer: Record<string, string>): Promise<void> {
  const schema = await call({
    method: "GET",
    path: "/schema/BRA",
    headers: bearer,
    status: 200,
    say: (answer) => `${text(answer, "title")}, version ${text(answer, "version")}`,
  });
  expect(text(schema, "$schema").includes("draft-07"), "a draft-07 schema");
}

async function subscribe(stage: Stage, call: Caller, url: string): Promise<string> {
  const { tenant, apiKey, agents } = stage.tenant;
  const agent = agents.find(({ status }) => status === "ACTIVE");
  expect(agent !== undefined, "an approved agent");
  const headers = { "x-api-key": apiKey, ...json };
  const agentHeaders = { ...headers, "x-agent-id": agent.agentId, "x-agent-api-key": agent.apiKey };
  const webhooks = `/organizations/${tenant}/webhooks`;
  const subscription = await call({
    method: "POST",
    path: webhooks,
    headers,
    body: JSON.stringify({ url, events: ["TransactionStatusChanged"] }),
    status: 200,
    say: () => `deliveries go to ${url}`,
  });
  const path = `${webhooks}/${text(subscription, "id")}`;
  const secret = await call({
    method: "POST",
    path: `${path}/secret`,
    headers: agentHeaders,
    status: 200,
    say: (answer) => `signing secret with fingerprint ${text(answer, "secretFingerprint")}`,
  });
  await stage.meddle(path, call, agentHeaders);
  return text(secret, "signingSecret");
}

async function quoteAndPay(
  call: Caller,
  bearer: Record<string, string>,
  id: string,
): Promise<{ body: string; answer: string }> {
  const quote = await call({
    method: "POST",
    path: "/v2/foreign-exchange",
    headers: { ...bearer, ...json },
    body: JSON.stringify({
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: "BRL",
      paymentMethod: "BANK_ACCOUNT",
      sourceCurrencyAmount: 100,
      destinationCountryCode: "BRA",
    }),
    status: 200,
    say: (answer) => `1 USD = ${text(answer, "conversionRate")} BRL until ${text(answer, "quoteIdExpiryDateTime")}`,
  });
  const body = JSON.stringify(paymentBody(id, text(quote, "fxId"), Number.parseFloat(text(quote, "conversionRate"))));
  const accepted = await call({
    method: "POST",
    path: "/v2/payment",
    headers: { ...bearer, ...json },
    body,
    status: 200,
    say: (answer) => `${text(answer, "status")}, paymentId ${text(answer, "paymentId")}`,
  });
  expect(accepted.json["status"] === "PENDING", "status PENDING");
  return { body, answer: accepted.text };
}

/** 100 USD to a PIX key in Brazil, in the shape that GET /schema/BRA asks for. */
function paymentBody(externalPaymentId: string, fxId: string, rate: number): object {
  return {
    externalPaymentId,
    ipAddress: "203.0.113.7",
    paymentType: "PUSH",
    amount: { total: 100, currency: "USD" },
    recipientAmount: { total: 100 * rate, currency: "BRL" },
    exchangeRate: rate,
    fxId,
    sender: {
      firstName: "Ada",
      lastName: "Lovelace",
      address: { countryCode: "GBR", city: "London", line1: "12 Hill Road" },
    },
    recipient: {
      firstName: "Maria",
      lastName: "Souza",
      documents: [{ document: "390.533.447-05", type: "CPF", countryCode: "BRA" }],
      paymentMethod: { type: "PIX", countryCode: "BRA", key: "maria.souza@example.com", keyType: "EMAIL" },
    },
    additionalData: { statementNarrative: "rent for March" },
  };
}

async function lookUp(call: Caller, bearer: Record<string, string>, id: string): Promise<void> {
  for (const path of [`/v2/payment/${id}`, `/payments/${id}`]) {
    const record = await call({
      method: "GET",
      path,
      headers: bearer,
      status: 200,
      say: (answer) =>
        `${text(answer, "status")}, captured ${text(answer, "capturedAmount")} ${text(answer, "currency")}`,
    });
    expect(record.json["status"] === "CAPTURED", "status CAPTURED");
    expect(record.json["capturedAmount"] === 100, "capturedAmount 100");
  }
}

async function payAgain(
  call: Caller,
  bearer: Record<string, string>,
  first: { body: string; answer: string },
): Promise<void> {
  const again = await call({
    method: "POST",
    path: "/v2/payment",
    headers: { ...bearer, ...json },
    body: first.body,
    status: 200,
    say: (answer) => `the first answer again, Idempotency-Replayed: ${String(answer.headers["idempotency-replayed"])}`,
  });
  expect(again.headers["idempotency-replayed"] === "true", "the header Idempotency-Replayed: true");
  expect(again.text === first.answer, "the first answer, byte for byte");
}

/** Spans arrive in batches, some after the last webhook. */
const tracePatienceMs = 8_000;

async function showTrace(stage: Stage, traceId: string): Promise<void> {
  const startMs = performance.now();
  const missing = (): string[] => {
    const services = new Set(stage.spans(traceId).map(({ service }) => service));
    return tracedServices.filter((service) => !services.has(service));
  };
  while (missing().length > 0 && performance.now() - startMs < tracePatienceMs) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const spans = stage.spans(traceId);
  line("trace", "", `${Math.round(performance.now() - startMs)} ms`, `${spans.length} spans with trace id ${traceId}`);
  console.log(renderSpanTree(spans));
  expect(missing().length === 0, `spans of ${missing().join(", ")} in the trace`);
}
