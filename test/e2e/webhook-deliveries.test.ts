import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { verifyWebhook } from "../../docs/webhooks/verify-webhook";
import { freePorts } from "../../local/free-port";
import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, pushStates, until } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";
import {
  type Body,
  connectWebhookTenant,
  isoTime,
  parsed,
  someUuid,
  type WebhookTenant,
  webhooksPath,
} from "../support/webhook-tenant";

describe("deliveries and the feed at the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let demo: WebhookTenant;
  let metricsPort: number;

  beforeAll(async () => {
    [metricsPort = 0] = await freePorts(1);
    platform = await startTestPlatform({ env: { webhook: { METRICS_PORT: String(metricsPort) } } });
    client = connectClient(platform);
    demo = connectWebhookTenant(platform, client);
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  const moveClock = async (seconds: number): Promise<void> => {
    const body = JSON.stringify({ advance: seconds });
    const headers = { "content-type": "application/json" };
    await fetch(`${platform.credentials.sandboxUrl}/clock`, { method: "POST", headers, body });
  };
  const detail = async (webhookId: string, deliveryId: unknown): Promise<Body> =>
    (await demo.call("GET", `${webhooksPath}/${webhookId}/deliveries/${String(deliveryId)}`)).body;

  it("shows, tests, repeats and recovers deliveries", async () => {
    const sink = freshId();
    const id = await demo.register(sink, ["TransactionStatusChanged"]);
    const since = new Date(Date.now() - 60_000).toISOString();
    const { paymentId } = await demo.pay();
    await until(
      () => demo.list(id, "?status=DELIVERED"),
      (found) => found.length === pushStates.length,
      60_000,
    );

    const newest = (await demo.list(id)).find(({ sequence }) => sequence === 13);
    expect(await demo.list(id, "?limit=1")).toHaveLength(1);
    const summary = {
      id: someUuid,
      eventId: expect.any(String) as unknown,
      event: "TransactionStatusChanged",
      subjectId: paymentId,
      sequence: 13,
      status: "DELIVERED",
      attempts: 1,
      lastStatus: 200,
      occurredAt: isoTime,
      createdAt: isoTime,
      nextAttemptAt: null,
      endedAt: isoTime,
      batchId: null,
    };
    const attempt = { number: 1, at: isoTime, status: 200, durationMs: expect.any(Number) as unknown, failure: null };
    const body = (await client.sink(sink)).at(-1)?.body;
    expect(newest).toEqual(summary);
    expect(await detail(id, newest?.["id"])).toEqual({ ...summary, body, log: [attempt] });
    const again = await demo.call("POST", `${webhooksPath}/${id}/deliveries/${String(newest?.["id"])}/redeliver`);
    expect([again.status, again.body["status"], again.body["id"]]).toEqual([200, "PENDING", newest?.["id"]]);
    const repeated = (await demo.arrived(sink, pushStates.length + 1)).at(-1);
    expect(repeated?.body).toBe(body);
    expect(repeated?.headers).toMatchObject({
      "x-service-event-id": newest?.["eventId"],
      "x-service-delivery-attempt": "2",
    });
    const recovered = await demo.call("POST", `${webhooksPath}/${id}/recover`, { since });
    expect([recovered.status, recovered.body]).toEqual([200, { recovered: 0, isComplete: true }]);
    expect(await demo.call("POST", `${webhooksPath}/${id}/recover`, { since: "soon", until: 5 })).toMatchObject({
      status: 400,
    });
    await demo.end(id);
  });

  it("gives up after the plan of the local profile, and recovers what failed; its figures say so", async () => {
    const sink = freshId();
    const id = await demo.register(sink, ["AgentUpdatedEvents"]);
    const figures = async (): Promise<Record<string, number>> => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const rows = text.split("\n").filter((row) => row.startsWith("corridor_webhook_"));
      return Object.fromEntries(
        rows.map((row) => [
          row.replace(/ .*/, "").replace(/\{corridor_service="webhook"\}|,?corridor_service="webhook"/, ""),
          Number(row.replace(/.* /, "")),
        ]),
      );
    };
    const before = await figures();
    const since = new Date(Date.now() - 60_000).toISOString();
    await client.fault({ rail: "sink", operation: "receive", status: 503 });
    const email = `${randomUUID()}@example.com`;
    await demo.call("POST", "/organizations/demo/agents", { email, businessName: "Late" });
    for (const [index, wait] of [2, 10, 60, 300].entries()) {
      await until(
        () => demo.list(id),
        ([one]) => one?.["attempts"] === index + 1,
        60_000,
      );
      const [waiting] = await demo.list(id);
      expect(waiting).toMatchObject({ status: "PENDING", lastStatus: 503, nextAttemptAt: isoTime, endedAt: null });
      await moveClock(wait * 1.2 + 1);
    }
    const [failed] = await until(
      () => demo.list(id, "?status=FAILED"),
      ({ length }) => length === 1,
      60_000,
    );
    const oldest = (await figures())["corridor_webhook_oldest_undelivered_seconds"];
    await client.clearFaults();
    const { body } = await demo.call("POST", `${webhooksPath}/${id}/recover`, {
      since,
      until: new Date(Date.now() + 3_600_000),
    });
    const items = await demo.arrived(sink, 1);
    await until(
      () => demo.list(id, "?status=DELIVERED"),
      ({ length }) => length === 1,
      60_000,
    );
    const after = await figures();

    expect(failed).toMatchObject({ attempts: 5, lastStatus: 503, nextAttemptAt: null, endedAt: isoTime });
    expect((await detail(id, failed?.["id"]))["log"]).toHaveLength(6);
    expect(body).toEqual({ recovered: 1, isComplete: true });
    expect(items.map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual(["6"]);
    expect(oldest).toBe(0);
    const grown = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0);
    expect(grown('corridor_webhook_attempts_total{outcome="retry"}')).toBe(4);
    expect(grown('corridor_webhook_attempts_total{outcome="abandoned"}')).toBe(1);
    expect(grown('corridor_webhook_attempts_total{outcome="delivered"}')).toBe(1);
    expect(grown("corridor_webhook_lag_seconds_count")).toBe(1);
    expect(grown("corridor_webhook_lag_seconds_sum")).toBeGreaterThan(372 * 0.8);
    expect(grown("corridor_webhook_attempt_duration_seconds_count")).toBe(6);
    await demo.end(id);
  }, 240_000);

  it("sends batches to whoever asked for them, each event as it is alone, signed as a whole", async () => {
    const [sink, alone] = [freshId(), freshId()];
    const id = await demo.register(sink, ["TransactionStatusChanged"], { isBatch: true });
    const single = await demo.register(alone, ["TransactionStatusChanged"]);
    const { body } = await demo.call("POST", `${webhooksPath}/${id}/secret`, undefined, demo.agentHeaders);
    const secret = String(body["signingSecret"]);
    await demo.pay();
    const bodies = (await demo.arrived(alone, pushStates.length)).map((item) => item.body);
    const items = await until(
      () => client.sink(sink),
      (found) => parsed(found).flatMap((batch) => batch["events"]).length >= pushStates.length,
      60_000,
    );

    for (const { headers, body: whole } of items) {
      const { batchId, events: contents } = JSON.parse(whole) as { batchId: string; events: object[] };
      expect(whole).toBe(
        `{"batchId":"${batchId}","isBatch":true,"events":[${contents.map((one) => JSON.stringify(one)).join(",")}]}`,
      );
      expect(contents.every((one) => bodies.includes(JSON.stringify(one)))).toBe(true);
      expect(headers).toMatchObject({ "x-service-event-id": batchId, "webhook-id": batchId });
      expect(verifyWebhook({ secret, header: headers["x-service-signature"] ?? "", body: whole })).toBeDefined();
      expect(new Webhook(secret).verify(whole, headers)).toBeDefined();
    }
    const told = parsed(items).flatMap((batch) => batch["events"] as Body[]);
    expect(told.map(({ newStatus }) => newStatus)).toEqual(pushStates);
    expect((await demo.list(id)).every(({ batchId }) => typeof batchId === "string")).toBe(true);
    await demo.end(id, single);
  });

  it("lets a tenant read all its events by a cursor, page by page, and nobody else's", async () => {
    const feed = "/organizations/demo/events";
    const { paymentId } = await demo.pay();
    const all: Body[] = [];
    let after = "";
    await until(
      async () => {
        const page = await demo.call("GET", `${feed}?limit=5${after}`);
        expect(page.status).toBe(200);
        all.push(...(page.body["events"] as Body[]));
        after = `&after=${String(page.body["next"])}`;
        return (page.body["events"] as Body[]).map(({ payload }) => payload as Body);
      },
      (payloads) => payloads.some((one) => one["transactionId"] === paymentId && one["newStatus"] === "Completed"),
    );

    expect(all.map(({ cursor }) => Number(cursor))).toEqual(all.map((_event, index) => index + 1));
    expect(all[0]).toEqual({
      cursor: "1",
      id: expect.any(String) as unknown,
      sequence: expect.any(Number) as unknown,
      occurredAt: isoTime,
      payload: expect.objectContaining({ event: expect.any(String) as unknown, tenantId: "demo" }) as unknown,
    });
    for (const query of ["?after=x", "?after=999999", "?limit=201", "?limit=0"]) {
      expect(await demo.call("GET", `${feed}${query}`)).toMatchObject({ status: 400, body: { code: "VE_001" } });
    }
    expect(await demo.call("GET", "/organizations/other/events")).toMatchObject({ status: 404 });
  });
});
