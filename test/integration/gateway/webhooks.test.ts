import type { AuthenticateKeyRequest } from "../../../proto/gen/corridor/auth/v1/auth_service";
import {
  type Delivery,
  DeliveryState,
  type Subscription,
} from "../../../proto/gen/corridor/webhook/v1/webhook_service";
import { DomainError } from "../../../services/shared/kernel/errors";
import { type HttpAnswer, httpCall } from "./http-call";
import { unboundKeys } from "./peers";
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
  disabledAt: undefined,
  disabledReason: "",
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
  publicKey: null,
  disabledAt: null,
  disabledReason: null,
};

const delivery: Delivery = {
  id: "d-1",
  subscriptionId: "w-1",
  eventId: "e-1",
  event: "TransactionStatusChanged",
  subjectId: "t-1",
  sequence: 3,
  state: DeliveryState.PENDING,
  attempts: 1,
  occurredAt: created,
  createdAt: created,
  nextAttemptAt: created,
  endedAt: undefined,
  lastStatus: undefined,
  batchId: undefined,
  body: '{"amount":1.10}',
  log: [{ number: 1, at: created, status: undefined, durationMs: 12, failure: "timeout" }],
};
const shownSummary = {
  id: "d-1",
  eventId: "e-1",
  event: "TransactionStatusChanged",
  subjectId: "t-1",
  sequence: 3,
  status: "PENDING",
  attempts: 1,
  lastStatus: null,
  occurredAt: "2026-02-03T04:05:06.000Z",
  createdAt: "2026-02-03T04:05:06.000Z",
  nextAttemptAt: "2026-02-03T04:05:06.000Z",
  endedAt: null,
  batchId: null,
};
const shownDelivery = {
  ...shownSummary,
  body: '{"amount":1.10}',
  log: [{ number: 1, at: "2026-02-03T04:05:06.000Z", status: null, durationMs: 12, failure: "timeout" }],
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
          return Promise.resolve({ tenant: "demo", agentId: request.agentId, ...unboundKeys });
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
        listDeliveries(request) {
          calls.push(request);
          return Promise.resolve({ deliveries: [delivery], next: request.after === "" ? "1_d-1" : "" });
        },
        getDelivery: (request) => known(request, { delivery }),
        redeliver: (request) => known(request, { delivery }),
        recover: (request) => known(request, { recovered: 3, isComplete: true }),
        sendTest: (request) => known(request, { delivery }),
        listEvents(request) {
          calls.push(request);
          const event = { eventId: "e-9", sequence: 2, occurredAt: created, body: '{"event":"X","total":1.10}' };
          return Promise.resolve({ events: request.after === undefined ? [{ ...event, position: 9n }] : [], next: 9n });
        },
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
      isBatchMalformed: false,
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

  it("lists deliveries page by page", async () => {
    const first = await call("GET", `${path}/w-1/deliveries?status=FAILED&limit=200`);
    const second = await call("GET", `${path}/w-1/deliveries?after=1_d-1`);

    expect([first.status, first.json]).toEqual([200, { deliveries: [shownSummary], next: "1_d-1" }]);
    expect(second.json).toEqual({ deliveries: [shownSummary], next: null });
    const common = { tenant: "demo", subscriptionId: "w-1" };
    expect(calls).toEqual([
      { ...common, state: DeliveryState.FAILED, after: "", limit: 200 },
      { ...common, state: DeliveryState.UNSPECIFIED, after: "1_d-1", limit: 25 },
    ]);
  });

  it("shows, redelivers, recovers and tests", async () => {
    const since = '{"since":"2026-02-01T00:00:00Z","until":"2026-02-02T00:00:00+01:00"}';
    const shownOne = await call("GET", `${path}/w-1/deliveries/d-1`);
    const again = await call("POST", `${path}/w-1/deliveries/d-1/redeliver`);
    const recovered = await call("POST", `${path}/w-1/recover`, { "x-api-key": "good" }, since);
    const tested = await call("POST", `${path}/w-1/test`);

    expect([shownOne.status, shownOne.json]).toEqual([200, shownDelivery]);
    expect([again.status, again.json]).toEqual([200, shownDelivery]);
    expect([recovered.status, recovered.json]).toEqual([200, { recovered: 3, isComplete: true }]);
    expect([tested.status, tested.json]).toEqual([201, shownDelivery]);
    expect(calls[2]).toEqual({
      tenant: "demo",
      subscriptionId: "w-1",
      since: new Date("2026-02-01T00:00:00Z"),
      until: new Date("2026-02-01T23:00:00Z"),
    });
  });

  it("reads the feed with payloads as they are, and says where to go on", async () => {
    const first = await call("GET", "/organizations/demo/events");
    const end = await call("GET", "/organizations/demo/events?after=9&limit=1");

    expect(first.text).toBe(
      '{"events":[{"cursor":"9","id":"e-9","sequence":2,"occurredAt":"2026-02-03T04:05:06.000Z",' +
        '"payload":{"event":"X","total":1.10}}],"next":"9"}',
    );
    expect([end.status, end.json]).toEqual([200, { events: [], next: "9" }]);
    expect(calls).toEqual([
      { tenant: "demo", after: undefined, fromNewest: false, limit: 25, eventNames: [] },
      { tenant: "demo", after: 9n, fromNewest: false, limit: 1, eventNames: [] },
    ]);
    expect(await call("GET", "/organizations/other/events")).toMatchObject({ status: 404, json: { code: "WH_404" } });
  });

  it.each([
    ["limit=0", ["limit"]],
    ["limit=201&status=lost", ["status", "limit"]],
  ])("refuses deliveries with %s, naming all that is wrong", async (query, fields) => {
    const answer = await call("GET", `${path}/w-1/deliveries?${query}`, { "x-api-key": "good" });

    expect(answer).toMatchObject({ status: 400, json: { code: "VE_001", errors: fields.map((field) => ({ field })) } });
  });

  it.each([
    ["GET", "/organizations/demo/events?after=x&limit=1e9", undefined, ["after", "limit"]],
    ["POST", `${path}/w-1/recover`, "{}", ["since"]],
    ["POST", `${path}/w-1/recover`, '{"since":"yesterday","until":7}', ["since", "until"]],
    ["POST", `${path}/w-1/recover`, '{"since":"2026-02-01","unitl":"2026-02-02"}', ["unitl"]],
    ["POST", `${path}/w-1/recover`, '{"since":"2026-02-02T00:00:00Z","until":"2026-02-01T00:00:00Z"}', ["until"]],
  ])("refuses %s %s with %p", async (method, to, body, fields) => {
    const answer = await call(method, to, { "x-api-key": "good" }, body);

    expect(answer).toMatchObject({ status: 400, json: { code: "VE_001", errors: fields.map((field) => ({ field })) } });
    expect(calls).toEqual([]);
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
    ["{}", ["url", "events"], { url: "", events: [] }],
    ['{"url":1,"events":"all","isBatch":"no"}', ["url", "events", "isBatch"], { url: "", events: [] }],
    [
      '{"url":"https://x/","events":["a",1],"isBatch":null}',
      ["events.1", "isBatch"],
      { url: "https://x/", events: ["a", ""] },
    ],
    ['{"url":"https://x/","events":["a"],"isbatch":true}', ["isbatch"], { url: "https://x/", events: ["a"] }],
    ['{"url":"http://x/","events":["a"]}', ["url"], { url: "", events: ["a"] }],
    ['{"url":"https://x/#y","events":["a"]}', ["url"], { url: "", events: ["a"] }],
  ])("refuses %s for %p, and asks the service what else is wrong", async (body, fields, request) => {
    const answer = await call("POST", path, { "x-api-key": "good" }, body);

    expect(answer).toMatchObject({ status: 400, json: { errors: fields.map((field) => ({ field })) } });
    // A request that is called malformed registers nothing.
    expect(calls).toEqual([{ tenant: "demo", isBatch: false, isBatchMalformed: true, ...request }]);
  });
});
