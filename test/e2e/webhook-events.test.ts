import { createHash } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { verifyWebhook } from "../../docs/webhooks/verify-webhook";
import type { Platform } from "../../local/platform";
import {
  connectClient,
  freshId,
  type PlatformClient,
  pushStates,
  type SinkItem,
  until,
} from "../support/platform-client";
import { sampleFile } from "../support/sample-files";
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

const texts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === "string");

describe("events and subscriptions at the edge", () => {
  let platform: Platform;
  let client: PlatformClient;
  let demo: WebhookTenant;

  beforeAll(async () => {
    platform = await startTestPlatform();
    client = connectClient(platform);
    demo = connectWebhookTenant(platform, client);
  });
  afterAll(async () => {
    await client.close();
    await platform.stop();
  });

  it("tells a payment's every step with the fields of the specification and no others", async () => {
    const sink = freshId();
    const spellings = [
      "transactionSTATUSchanged",
      "TRANSACTIONCOMPLIANCESTATUSCHANGEDEVENT",
      "transactionpayoutstatuschanged",
    ];
    const id = await demo.register(sink, spellings);
    const { externalId, paymentId } = await demo.pay();

    const items = await demo.arrived(sink, 12);

    const events = parsed(items);
    const of = (name: string | undefined) => events.filter(({ event }) => event === name);
    const common = { transactionId: paymentId, externalTransactionId: externalId, tenantId: "demo" };
    const [statusName, complianceName, payoutName] = spellings;
    expect(of(statusName)).toEqual(
      pushStates.map((newStatus, index) => ({
        event: statusName,
        ...common,
        oldStatus: pushStates[index - 1] ?? null,
        newStatus,
        newStatusMessages: expect.any(Array) as unknown,
      })),
    );
    expect(of(complianceName)).toEqual(
      [
        [null, "Pending"],
        ["Pending", "Approved"],
      ].map(([oldComplianceStatus, newComplianceStatus]) => ({
        event: complianceName,
        ...common,
        oldComplianceStatus,
        newComplianceStatus,
        newStatusMessages: expect.any(Array) as unknown,
      })),
    );
    expect(of(payoutName)).toEqual(
      [
        [null, "AUTHORIZED"],
        ["AUTHORIZED", "PENDING"],
        ["PENDING", "CAPTURED"],
      ].map(([oldPayoutStatus, newPayoutStatus]) => ({
        event: payoutName,
        ...common,
        oldPayoutStatus,
        newPayoutStatus,
        newStatusMessages: expect.any(Array) as unknown,
        gatewayPaymentId: expect.any(String) as unknown,
        gmtReceipt: null,
        amount: { total: expect.any(Number) as unknown, currency: "BRL" },
      })),
    );
    expect(events.every(({ newStatusMessages }) => texts(newStatusMessages))).toBe(true);
    expect(items.every(({ body }) => body === JSON.stringify(JSON.parse(body)))).toBe(true);
    const sequences = items.map(({ headers }) => Number(headers["x-service-sequence"]));
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13]);
    await demo.end(id);
  });

  it("tells of documents and agents under legacy names to one endpoint, under their own to another", async () => {
    const [legacy, canonical] = [freshId(), freshId()];
    const ids = [
      await demo.register(legacy, ["documentUpdatedEvents", "agentUpdatedEvents"]),
      await demo.register(canonical, ["DocumentUpdatedEvents", "AgentUpdatedEvents"]),
    ];
    const person = await demo.call("POST", "/people", { firstName: "Maria" });
    const form = new FormData();
    form.append("file", new Blob([Uint8Array.from(sampleFile("png"))], { type: "image/png" }), "scan");
    const upload = await fetch(
      `${platform.credentials.baseUrl}/people/${String(person.body["id"])}/documents/PASSPORT`,
      {
        method: "POST",
        headers: { "x-api-key": demo.tenantHeaders["x-api-key"] ?? "" },
        body: form,
      },
    );
    const document = (await upload.json()) as Body;
    const agent = await demo.call("POST", "/organizations/demo/agents", {
      email: "partner@example.com",
      businessName: "Partner",
      externalId: freshId(),
    });
    const { id, email, businessName, externalId, status, createdAt } = agent.body;

    for (const [sink, documentName, agentName] of [
      [legacy, "documentUpdatedEvents", "agentUpdatedEvents"],
      [canonical, "DocumentUpdatedEvents", "AgentUpdatedEvents"],
    ] as const) {
      const events = parsed(
        await until(
          () => client.sink(sink),
          (items) => new Set(parsed(items).map(({ event }) => event)).size === 2,
          60_000,
        ),
      );
      expect(events.find(({ event }) => event === documentName)).toEqual({
        event: documentName,
        id: document["id"],
        entityId: person.body["id"],
        entityType: expect.stringMatching(/^(Participant|Person)$/) as unknown,
        documentType: "PASSPORT",
        verificationStatus: expect.stringMatching(/^pending$/i) as unknown,
        occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/) as unknown,
        tenantId: "demo",
        version: 1,
      });
      expect(events.find(({ event }) => event === agentName)).toEqual({
        event: agentName,
        id,
        before: null,
        after: { id, email, businessName, externalId, status, createdAt },
        tenantId: "demo",
        version: 1,
      });
      expect(status).toBe("PENDING_APPROVAL");
    }
    await demo.end(...ids);
  });

  it("signs from the first secret on, with the newest alone, and no more once it is deleted", async () => {
    const sink = freshId();
    const id = await demo.register(sink, ["AgentUpdatedEvents"]);
    const secret = `${webhooksPath}/${id}/secret`;
    /** The next delivery, of a test event. */
    const next = async (): Promise<SinkItem> => {
      const count = (await client.sink(sink)).length;
      expect((await demo.call("POST", `${webhooksPath}/${id}/test`)).status).toBe(201);
      const item = (await demo.arrived(sink, count + 1))[count];
      if (item === undefined) throw new Error("nothing came");
      return item;
    };
    const verifies = ({ headers, body }: SinkItem, key: string): boolean[] =>
      [
        () => verifyWebhook({ secret: key, header: headers["x-service-signature"] ?? "", body }),
        () => new Webhook(key).verify(body, headers),
      ].map((verify) => {
        try {
          return verify() !== undefined;
        } catch {
          return false;
        }
      });
    const signatures = ["x-service-signature", "webhook-id", "webhook-timestamp", "webhook-signature"];

    const before = await next();
    const made = await demo.call("POST", secret, undefined, demo.agentHeaders);
    const first = String(made.body["signingSecret"]);
    const signed = await next();
    const rotated = await demo.call("POST", secret, undefined, demo.agentHeaders);
    const second = String(rotated.body["signingSecret"]);
    const signedAnew = await next();
    const listed = await demo.call("GET", webhooksPath);
    expect((await demo.call("DELETE", secret, undefined, demo.agentHeaders)).status).toBe(204);
    const after = await next();

    for (const item of [before, after]) expect(signatures.filter((name) => name in item.headers)).toEqual([]);
    expect(signed.headers).toMatchObject({
      "content-type": "application/json",
      "x-service-event-id": someUuid,
      "x-service-delivery-attempt": "1",
      "x-service-sequence": "1",
      "x-service-signature": expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/) as unknown,
      "webhook-id": signed.headers["x-service-event-id"],
    });
    expect(verifies(signed, first)).toEqual([true, true]);
    expect(verifies(signedAnew, second)).toEqual([true, true]);
    expect(verifies(signedAnew, first)).toEqual([false, false]);
    for (const { status, headers, body } of [made, rotated]) {
      const text = String(body["signingSecret"]);
      expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
      expect(body).toEqual({
        signingSecret: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) as unknown,
        secretFingerprint: createHash("sha256").update(text).digest("hex").slice(0, 8),
        signatureVersion: "v1",
        secretRotatedAt: isoTime,
      });
      expect(listed.text).not.toContain(text);
    }
    expect(listed.body["webhooks"]).toContainEqual({
      id,
      url: `${platform.credentials.sinkUrl}/${sink}`,
      events: ["AgentUpdatedEvents"],
      isBatch: false,
      createdAt: isoTime,
      signatureVersion: "v1",
      secretFingerprint: rotated.body["secretFingerprint"],
      secretRotatedAt: rotated.body["secretRotatedAt"],
      publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/) as unknown,
      disabledAt: null,
      disabledReason: null,
    });
    await demo.end(id);
  });

  it("asks for an agent where secrets are made, and offers neither an update nor a look at one", async () => {
    const id = await demo.register(freshId(), ["AgentUpdatedEvents"]);
    const secret = `${webhooksPath}/${id}/secret`;
    const waiting = platform.credentials.tenants
      .find(({ tenant }) => tenant === "demo")
      ?.agents.find(({ status }) => status === "PENDING_APPROVAL");
    const asWaiting = { "x-agent-id": waiting?.agentId ?? "", "x-agent-api-key": waiting?.apiKey ?? "" };

    for (const headers of [demo.tenantHeaders, { ...demo.tenantHeaders, ...asWaiting }]) {
      for (const method of ["POST", "DELETE"] as const) {
        expect(await demo.call(method, secret, undefined, headers)).toMatchObject({
          status: 403,
          body: { code: "AUTH_002" },
        });
      }
    }
    expect(await demo.call("GET", webhooksPath, undefined, {})).toMatchObject({
      status: 401,
      body: { code: "AUTH_001" },
    });
    for (const [method, path] of [
      ["GET", secret],
      ["GET", `${webhooksPath}/${id}`],
      ["PUT", `${webhooksPath}/${id}`],
      ["PATCH", `${webhooksPath}/${id}`],
    ] as const) {
      expect(await demo.call(method, path, method === "GET" ? undefined : {})).toMatchObject({
        status: 405,
        body: { code: "REQ_405" },
      });
    }
    await demo.end(id);
    const gone = { status: 404, body: { code: "WH_404" } };
    expect(await demo.call("DELETE", `${webhooksPath}/${id}`)).toMatchObject(gone);
    expect(await demo.call("POST", secret, undefined, demo.agentHeaders)).toMatchObject(gone);
    expect(await demo.call("DELETE", secret, undefined, demo.agentHeaders)).toMatchObject(gone);
    expect(await demo.call("GET", "/organizations/other/webhooks")).toMatchObject(gone);
  });

  const events = ["TransactionStatusChanged"];
  const url = "https://localhost:8443/hook";
  it.each<[object, string[]]>([
    [{}, ["url", "events"]],
    [{ url: "http://example.com/", events: [] }, ["url", "events"]],
    [{ url: 7, events: ["Nope", 1, events[0]], isBatch: "yes" }, ["url", "events.0", "events.1", "isBatch"]],
    [{ url: "https://10.0.0.1/", events: ["TransactionStatus"], isBatch: null }, ["url", "events.0", "isBatch"]],
    [{ url: `${url}?${"x".repeat(2_048 - url.length)}`, events }, ["url"]],
    [{ url: "https://user:word@localhost:8443/", events: "TransactionStatusChanged" }, ["url", "events"]],
    [{ url: "https://localhost:22/#part", events: Array.from({ length: 51 }, () => "x") }, ["url", "events"]],
  ])("refuses what cannot be registered, and names each wrong field: case %#", async (body, fields) => {
    const refused = await demo.call("POST", webhooksPath, body);

    expect(refused).toMatchObject({ status: 400, body: { code: "VE_001", requestId: expect.any(String) as unknown } });
    const named = (refused.body["errors"] as { field: string }[]).map(({ field }) => field);
    expect(new Set(named)).toEqual(new Set(fields));
    expect((await demo.call("GET", webhooksPath)).text).not.toContain("localhost:8443");
  });

  it("takes a url of 2,048 characters", async () => {
    const longest = `${url}?${"x".repeat(2_047 - url.length)}`;
    const { status, body } = await demo.call("POST", webhooksPath, { url: longest, events });

    expect([status, body["url"]]).toEqual([200, longest]);
    await demo.end(String(body["id"]));
  });
});
