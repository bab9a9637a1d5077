import { randomUUID } from "node:crypto";
import type { Platform } from "../../local/platform";
import { connectClient, freshId, type PlatformClient, pushBody, type Reply } from "../support/platform-client";
import { startTestPlatform } from "../support/test-platform";

type Method = "GET" | "POST" | "DELETE";

describe("objects of one tenant", () => {
  let platform: Platform;
  let demo: PlatformClient;
  let other: PlatformClient;

  beforeAll(async () => {
    platform = await startTestPlatform();
    demo = connectClient(platform);
    other = connectClient(platform, "other");
  }, 120_000);
  afterAll(async () => {
    await Promise.all([demo.close(), other.close()]);
    await platform.stop();
  });

  const headersOf = async (client: PlatformClient, name: string): Promise<Record<string, string>> => {
    const tenant = platform.credentials.tenants.find((one) => one.tenant === name);
    const agent = tenant?.agents.find(({ status }) => status === "ACTIVE");
    return {
      "content-type": "application/json",
      authorization: `Bearer ${await client.token()}`,
      "x-api-key": tenant?.apiKey ?? "",
      "x-agent-id": agent?.agentId ?? "",
      "x-agent-api-key": agent?.apiKey ?? "",
    };
  };
  const asDemo = async (method: Method, path: string, body?: object): Promise<Reply> =>
    demo.send(method, path, await headersOf(demo, "demo"), body === undefined ? undefined : JSON.stringify(body));
  const asOther = async (method: Method, path: string, body?: object): Promise<Reply> =>
    other.send(method, path, await headersOf(other, "other"), body === undefined ? undefined : JSON.stringify(body));

  /** Makes one of each kind for tenant demo; returns their ids. */
  const makeObjects = async (): Promise<Record<string, string>> => {
    const quote = await demo.quote();
    const payment = freshId();
    await demo.pay(pushBody(payment, await demo.quote()));
    const party = { accountAsset: "USD", ownerId: "owner-1", beneficiaryId: "beneficiary-1", type: "PERSONAL" };
    const wallet = await asDemo("POST", "/wallets", party);
    const url = `${platform.credentials.sinkUrl}/isolation`;
    const webhook = await asDemo("POST", "/organizations/demo/webhooks", { url, events: ["TransactionStatusChanged"] });
    return {
      quote: quote.fxId,
      payment,
      wallet: String(wallet.body["walletId"]),
      webhook: String(webhook.body["id"]),
    };
  };

  /** Routes that name an object, `{kind}` standing for its id. `other` looks under its own path. */
  const routes: readonly [Method, string, object?][] = [
    ["GET", "/v2/foreign-exchange/{quote}"],
    ["GET", "/v2/payment/{payment}"],
    ["GET", "/v2/payment/{payment}/timeline"],
    ["GET", "/payments/{payment}"],
    ["POST", "/payments/{payment}/void"],
    ["POST", "/payments/{payment}/capture", {}],
    ["POST", "/payments/{payment}/refund", { externalRefundId: "refund-1" }],
    ["GET", "/wallets/{wallet}"],
    ["GET", "/wallets/{wallet}/balance"],
    ["GET", "/wallets/{wallet}/statement"],
    ["DELETE", "/organizations/other/webhooks/{webhook}"],
    ["POST", "/organizations/other/webhooks/{webhook}/secret"],
    ["GET", "/organizations/other/webhooks/{webhook}/deliveries"],
    ["POST", "/organizations/other/webhooks/{webhook}/test"],
  ];
  const withoutId = ({ status, body: { requestId: _requestId, ...body } }: Reply): object => ({ status, body });

  it("do not exist for another tenant: its answer is that about an id that nobody has", async () => {
    const ids = await makeObjects();
    const differing: unknown[] = [];
    for (const [method, route, body] of routes) {
      const path = (idOf: (kind: string) => string): string =>
        route.replace(/\{(\w+)\}/, (_match, kind: string) => idOf(kind));
      const real = withoutId(
        await asOther(
          method,
          path((kind) => ids[kind] ?? ""),
          body,
        ),
      );
      const unknown = withoutId(
        await asOther(
          method,
          path(() => randomUUID()),
          body,
        ),
      );
      if (JSON.stringify(real) !== JSON.stringify(unknown)) differing.push({ method, route, real, unknown });
      expect({ method, route, ...real }).toMatchObject({ method, route, status: 404 });
    }

    expect(differing).toEqual([]);
  });

  it("are there for their own tenant", async () => {
    const ids = await makeObjects();
    for (const [method, route] of routes.filter(([verb]) => verb === "GET")) {
      const path = route
        .replace("/organizations/other/", "/organizations/demo/")
        .replace(/\{(\w+)\}/, (_match, kind: string) => ids[kind] ?? "");
      const { status } = await asDemo(method, path);

      expect({ route, status }).toEqual({ route, status: 200 });
    }
  });
});
