import { randomBytes } from "node:crypto";
import type { TenantCredentials } from "../bootstrap";
import { type CollectedSpan, renderSpanTree } from "../span-tree";
import { checkEachKind } from "./checks";
import { authorise, type Meddle, pay, pushStates, quote, subscribe } from "./first-payment";
import { payEachKind } from "./payments";
import { verifyPerson } from "./sessions";
import { type Caller, expect, json, line, makeCaller, text } from "./transcript";
import { followStates } from "./webhooks";

/** Processes that a payment involves; the trace must show each of them. */
const tracedServices = ["gateway", "auth", "schema", "fx", "payment", "webhook"];

export interface Stage {
  baseUrl: string;
  /** Base address of the sandbox, for reading the webhook receiver. */
  sandboxUrl: string;
  /** Base address of webhook receivers, as the platform reaches them. */
  sinkUrl: string;
  tenant: TenantCredentials;
  spans(traceId: string): CollectedSpan[];
  meddle: Meddle;
}

/** Makes one payment of each kind through REST and checks every step. Throws at the first failure. */
export async function payOnce(stage: Stage): Promise<void> {
  const run = randomBytes(6).toString("hex");
  const traceId = randomBytes(16).toString("hex");
  const call = makeCaller(stage.baseUrl, { traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-01` });
  const bearer = await authorise(call, stage.tenant);
  await readSchema(call, bearer);
  const sink = `demo-${run}`;
  const secret = await subscribe(stage.tenant, call, `${stage.sinkUrl}/${sink}`, stage.meddle);
  const body = await quote(call, bearer, `demo-${run}`);
  const answer = await pay(call, bearer, body);
  await followStates(`${stage.sandboxUrl}/sink/${sink}`, secret, pushStates);
  await lookUp(call, bearer, `demo-${run}`);
  await payAgain(call, bearer, { body, answer });
  await payEachKind(call, bearer, run);
  await checkEachKind(call, { bearer, run, sandboxUrl: stage.sandboxUrl });
  await verifyPerson(call, bearer, `demo-${run}`);
  await showTrace(stage, traceId);
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
const tracePatienceMs = 60_000;

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
