import type { AuthenticateKeyRequest } from "../../../proto/gen/corridor/auth/v1/auth_service";
import type { Subscription } from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { DomainError } from "../../../services/shared/errors";
import { type HttpAnswer, httpCall } from "./http-call";
import { startTestGateway, type TestGateway } from "./test-gateway";

const agentId = "0b9f5f3e-0000-4000-8000-000000000001";
const created = new Date("2026-02-03T04:05:06.000Z");
const subscription: Subscription = {
  id: "w-1",
  url: "https://example.com/hook",
  events: ["TransactionStatusChanged"],
  isBatch: false,
  createdAt: created,
  signatureVersion: undefined,
  secretFingerprint: undefined,
  secretRotatedAt: undefined,
};
const shown = {
  id: "w-1",
  url: "https://example.com/hook",
  events: ["TransactionStatusChanged"],
  isBatch: false,
  createdAt: "2026-02-03T04:05:06.000Z",
  signatureVersion: null,
  secretFingerprint: null,
  secretRotatedAt: null,
};

describe("webhook management", () => {
  let platform: TestGateway;
  let keyChecks: AuthenticateKeyRequest[] = [];
  let calls: unknown[] = [];

  const known = <T>(call: { subscriptionId: string }, answer: T): Promise<T> => {
    calls.push(call);
    return call.subscriptionId === "w-1"
      ? Promise.resolve(answer)
      : Promise.reject(new DomainError("WEBHOOK_NOT_FOUND", "there is no such subscription"));
  };

  beforeAll(async () => {
    platform = await startTestGateway({
      auth: {
        authenticateKey(request) {
          keyChecks.push(request);
          if (!request.apiKey.startsWith("good"))
            return Promise.reject(new DomainError("UNAUTHENTICATED", "unknown key"));
          if (request.agentApiKey === "wrong") return Promise.reject(new DomainError("AGENT_REFUSED", "wrong agent"));
          return Promise.resolve({ tenant: "demo", agentId: request.agentId });
        },
      },
      webhook: {
        createSubscription(request) {
          calls.push(request);
          return Promise.resolve({ subscription });
        },
        listSubscriptions: () => Promise.resolve({ subscriptions: [subscription] }),
        deleteSubscription: (request) => known(request, {}),
        rotateSecret: (request) =>
          known(request, {
            signingSecret: "s".repeat(44),
            secretFingerprint: "0123abcd",
            signatureVersion: "v1",
            secretRotatedAt: created,
          }),
        deleteSecret: (request) => known(request, {}),
      },
    });
  });
  beforeEach(() => {
    keyChecks = [];
    calls = [];
  });

  const path = "/organizations/demo/webhooks";
  const call = (
    method: string,
    to: string,
    headers: Record<string, string> = { "x-api-key": "good" },
    body?: string,
  ): Promise<HttpAnswer> =>
    httpCall(platform.port, to, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const agent = { "x-api-key": "good", "x-agent-id": agentId, "x-agent-api-key": "right" };

  it("registers, lists and ends a subscription", async () => {
    const body = JSON.stringify({ url: "https://example.com/hook", events: ["TransactionStatusChanged"] });
    const made = await call("POST", path, { "x-api-key": "good" }, body);
    const list = await call("GET", path);
    const ended = await call("DELETE", `${path}/w-1`);
    const again = await call("DELETE", `${path}/w-2`);

    expect([made.status, made.json]).toEqual([200, shown]);
    expect(calls[0]).toEqual({
      tenant: "demo",
      url: "https://example.com/hook",
      events: ["TransactionStatusChanged"],
      isBatch: false,
    });
    expect([list.status, list.json]).toEqual([200, { webhooks: [shown] }]);
    expect([ended.status, ended.text]).toEqual([204, ""]);
    expect(again).toMatchObject({ status: 404, json: { code: "WH_404" } });
  });

  it("makes and drops a secret with agent credentials", async () => {
    const made = await call("POST", `${path}/w-1/secret`, agent);
    const dropped = await call("DELETE", `${path}/w-1/secret`, agent);

    expect([made.status, made.json]).toEqual([
      200,
      {
        signingSecret: "s".repeat(44),
        secretFingerprint: "0123abcd",
        signatureVersion: "v1",
        secretRotatedAt: "2026-02-03T04:05:06.000Z",
      },
    ]);
    expect(made.headers["cache-control"]).toBe("no-store");
    expect(dropped.status).toBe(204);
  });

  it("answers another tenant's path as if it did not exist", async () => {
    const foreign = await call("GET", "/organizations/other/webhooks");
    const secret = await call("POST", "/organizations/other/webhooks/w-1/secret", agent);

    expect(foreign).toMatchObject({ status: 404, json: { code: "WH_404" } });
    expect(secret).toMatchObject({ status: 404, json: { code: "WH_404" } });
    expect(calls).toEqual([]);
  });

  it.each([
    ["no key", {}],
    ["an unknown key", { "x-api-key": "bad" }],
    ["a key that none can be", { "x-api-key": `good${"x".repeat(300)}` }],
  ])("refuses %s with 401", async (_name, headers) => {
    const answer = await call("GET", path, headers);

    expect(answer).toMatchObject({ status: 401, json: { code: "AUTH_001" } });
    expect(answer.headers["www-authenticate"]).toContain("x-api-key");
  });

  it.each([
    ["no agent", { "x-api-key": "good" }],
    ["an agent without its key", { "x-api-key": "good", "x-agent-id": agentId }],
    ["a wrong agent key", { ...agent, "x-agent-api-key": "wrong" }],
  ])("refuses the secret to %s with 403", async (_name, headers) => {
    expect(await call("POST", `${path}/w-1/secret`, headers)).toMatchObject({
      status: 403,
      json: { code: "AUTH_002" },
    });
    expect(calls).toEqual([]);
  });

  it("looks at the tenant's key before the agent's", async () => {
    expect(await call("POST", `${path}/w-1/secret`, { "x-api-key": "bad" })).toMatchObject({ status: 401 });
  });

  it("asks once for a good key and every time for a bad one", async () => {
    for (const key of ["good-2", "good-2", "bad-2", "bad-2"]) await call("GET", path, { "x-api-key": key });

    expect(keyChecks.map(({ apiKey }) => apiKey)).toEqual(["good-2", "bad-2", "bad-2"]);
  });

  it.each([
    ["{}", ["url", "events"]],
    ['{"url":1,"events":"all"}', ["url", "events"]],
    ['{"url":"https://a.example","events":[]}', ["events"]],
    ['{"url":"https://a.example","events":["a",1]}', ["events"]],
    ['{"url":"https://a.example","events":["a"],"isBatch":"no"}', ["isBatch"]],
  ])("refuses %s and names the fields", async (body, fields) => {
    const answer = await call("POST", path, { "x-api-key": "good" }, body);

    expect(answer).toMatchObject({ status: 400, json: { code: "VE_001", errors: fields.map((field) => ({ field })) } });
    expect(calls).toEqual([]);
  });
});
