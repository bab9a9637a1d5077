import { connect } from "node:net";
import { startAdmissionControl } from "../../../gateway/admission-control";
import { makeCallers } from "../../../gateway/callers";
import { startDoors } from "../../../gateway/doors";
import { makeHttpApp } from "../../../gateway/http-app";
import { type HttpListener, listen } from "../../../gateway/http-server";
import type { HttpDeps } from "../../../gateway/middleware/http-deps";
import { oneOperator } from "../../../gateway/operator/four-eyes";
import { makePeerReader } from "../../../gateway/peer";
import { makeLimits } from "../../../gateway/rate-limiter";
import { makeRequestTime } from "../../../gateway/request-time";
import { noContent, type Route } from "../../../gateway/route";
import { makeStrangerBudget } from "../../../gateway/stranger-budget";
import { makeTenantAdmission } from "../../../gateway/tenant-admission";
import { DomainError, type ErrorReason, invalid } from "../../../services/shared/kernel/errors";
import { systemIds } from "../../../services/shared/kernel/ids";
import { makeNetworks } from "../../../services/shared/kernel/networks";
import { type CallContext, currentCall } from "../../../services/shared/process/call-context";
import { noTracing, type Tracing, underTraceparent } from "../../../services/shared/process/tracing";
import { activeTraceparent, makeTestTracing } from "../../support/test-tracing";
import { httpCall } from "./http-call";
import { startTestGateway } from "./test-gateway";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const notAsked = () => Promise.reject(new Error("not asked"));
const authenticate = {
  bearer: () => Promise.resolve({ caller: { name: "client:c", tenant: "demo" } }),
  tenantKey: notAsked,
  agentKeys: notAsked,
  person: notAsked,
  operator: notAsked,
};
const limits = makeLimits(1);
const time = makeRequestTime({
  requestMs: 15_000,
  uploadMs: 15_000,
  uploadBytesPerSecond: 1,
  isDraining: () => false,
});
const callers = makeCallers(makeNetworks([]));
const doors = startDoors({ perAddress: 100, inAll: 100, known: 100, burst: 1_000, isProxy: () => false });
const share = { isAllowed: true, limit: limits.read, remaining: 1, waitSeconds: 0 };

/** Serves routes without the rest of the gateway, so that a test can hand in its own log and tracing. */
function serveRoutes(routes: readonly Route[], changes: Partial<HttpDeps>): Promise<HttpListener> {
  const app = makeHttpApp(routes, {
    authenticate,
    peerOf: makePeerReader({ callers, trustedHops: 0, proxies: makeNetworks([]), proxyCertificate: undefined }),
    fourEyes: oneOperator,
    enter: [],
    doorHeaders: {},
    gate: { enter: () => () => {}, requireCalm: () => {} },
    doors,
    strangers: makeStrangerBudget({ factor: 1 }),
    tenantAdmission: { enter: () => () => {} },
    bodies: { enter: () => () => {} },
    limiter: { take: () => Promise.resolve(share) },
    limits,
    time,
    audit: { record: notAsked, recordRefusal: notAsked, stop: notAsked },
    isDraining: () => false,
    refusedAnonymous: () => {},
    refusedCardNumber: () => {},
    logger: silent,
    tracing: noTracing,
    requestServed: () => {},
    ids: systemIds,
    ...changes,
  });
  return listen(app, { host: "127.0.0.1", port: 0, time, doors, callers });
}

const facts = {
  method: "GET",
  summary: "",
  tag: "",
  body: "none",
  success: { status: 204, description: "" },
  refusals: [],
} as const;

describe("a request through the gateway", () => {
  it("is one server span, named after the route, in which the handler runs", async () => {
    const spans: { name: string; kind: string; parent: string | undefined; hasFailed: boolean }[] = [];
    const own = traceparent.replace("b7ad6b7169203331", "00f067aa0ba902b7");
    const tracing: Tracing = {
      ...noTracing,
      isOn: true,
      async span(name, { kind }, work) {
        const span = { name, kind, parent: currentCall()?.traceparent, hasFailed: false };
        spans.push(span);
        return underTraceparent(own, work).catch((error: unknown) => {
          span.hasFailed = true;
          throw error;
        });
      },
    };
    const seen: (CallContext | undefined)[] = [];
    const refuse = (reason: ErrorReason) => () => {
      seen.push(currentCall());
      return Promise.reject(new DomainError(reason, "no"));
    };
    const listener = await serveRoutes(
      [
        { ...facts, path: "/things/{id}", scheme: "none", handle: refuse("PAYMENT_NOT_FOUND") },
        { ...facts, path: "/broken", scheme: "none", handle: refuse("UNAVAILABLE") },
        { ...facts, path: "/probe", scheme: "none", isQuiet: true, handle: () => Promise.resolve(noContent) },
      ],
      { tracing },
    );
    const headers = { traceparent, "x-request-id": "req-7" };
    const statuses = [];
    for (const path of ["/things/7", "/broken", "/probe", "/nowhere"]) {
      statuses.push((await httpCall(listener.port, path, { headers })).status);
    }
    await listener.stop();

    expect(statuses).toEqual([404, 503, 204, 404]);
    expect(spans).toEqual([
      { name: "GET /things/{id}", kind: "server", parent: traceparent, hasFailed: false },
      { name: "GET /broken", kind: "server", parent: traceparent, hasFailed: true },
    ]);
    expect(seen[0]).toMatchObject({ requestId: "req-7", traceparent: own });
    expect((seen[0]?.deadlineMs ?? 0) - Date.now()).toBeGreaterThan(2_000);
  });

  it("is the span that any library in the handler finds, whether it is kept or not", async () => {
    const found: [string | undefined, string | undefined][] = [];
    const handle = async () => {
      found.push([await activeTraceparent(), currentCall()?.traceparent]);
      return noContent;
    };
    const tracing = makeTestTracing();
    const listener = await serveRoutes([{ ...facts, path: "/things", scheme: "none", handle }], { tracing });
    const dropped = traceparent.replace(/01$/, "00");
    for (const sent of [traceparent, dropped])
      await httpCall(listener.port, "/things", { headers: { traceparent: sent } });
    await httpCall(listener.port, "/things", {});
    await listener.stop();

    for (const [active, own] of found) expect(active).toBe(own);
    const [kept, notKept, fresh] = found.map(([active]) => active);
    expect(kept?.slice(0, 35)).toBe(traceparent.slice(0, 35));
    expect(kept).not.toBe(traceparent);
    expect(notKept).toBe(dropped);
    expect(fresh).toMatch(/-01$/);
    expect(await activeTraceparent()).toBeUndefined();
  });

  it.each(["no route", "a callback of no provider", "a token request that cannot be read"])(
    "of a stranger for %s comes out of what its address may have",
    async (what) => {
      const refuse = (reason: ErrorReason) => () => Promise.reject(new DomainError(reason, "refused"));
      const post = { ...facts, method: "POST", scheme: "none" } as const;
      const listener = await serveRoutes(
        [
          { ...post, path: "/callback", proof: "signature", handle: refuse("ROUTE_NOT_FOUND") },
          { ...post, path: "/token", proof: "client", handle: refuse("OAUTH_INVALID_REQUEST") },
        ],
        { strangers: makeStrangerBudget({ factor: 1 }) },
      );
      const path = { "no route": "/nope", "a callback of no provider": "/callback" }[what] ?? "/token";
      const statuses: number[] = [];
      // Several at once: one after the other a busy machine is slower than the share fills up again.
      while (!statuses.includes(429) && statuses.length < 2_000) {
        const batch = Array.from({ length: 20 }, () => httpCall(listener.port, path, { method: "POST" }));
        statuses.push(...(await Promise.all(batch)).map(({ status }) => status));
      }
      await listener.stop();

      expect(statuses.slice(0, 100)).not.toContain(429);
      expect(statuses).toContain(429);
    },
  );

  it("whose body does not come takes a place of its credential's own, and none of its tenant's", async () => {
    const begun = Promise.withResolvers<void>();
    const bodies = makeTenantAdmission({ most: 1, replicas: () => 1 });
    const listener = await serveRoutes(
      [
        {
          ...facts,
          method: "POST",
          path: "/things",
          body: "json",
          scheme: "bearer",
          scope: "payments",
          handle: () => Promise.resolve(noContent),
        },
      ],
      {
        tenantAdmission: makeTenantAdmission({ most: 1, replicas: () => 1 }),
        bodies: {
          enter(holder) {
            const leave = bodies.enter(holder);
            begun.resolve();
            return leave;
          },
        },
        authenticate: {
          ...authenticate,
          bearer: async ({ headers }) => ({
            caller: { name: headers["x-name"] === "other" ? "client:other" : "client:one", tenant: "demo" },
            refusal: undefined,
          }),
        },
      },
    );
    const half = connect(listener.port, "127.0.0.1");
    half.write("POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{");
    await begun.promise;
    const send = async (name: string): Promise<number> => {
      const headers = { "x-name": name, "content-type": "application/json" };
      return (await httpCall(listener.port, "/things", { method: "POST", headers, body: "{}" })).status;
    };

    const answers = [await send("other"), await send("one")];
    half.destroy();
    await listener.stop();

    expect(answers).toEqual([204, 429]);
  });

  it("that waits takes no place of those in flight", async () => {
    const happened = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const gate = startAdmissionControl({ maxInFlight: 1, maxLagMs: 60_000 });
    const listener = await serveRoutes(
      [
        {
          ...facts,
          path: "/news",
          scheme: "tenant",
          scope: "webhooks",
          async handle({ patience }) {
            patience.standAside();
            waits.resolve();
            await happened.promise;
            return noContent;
          },
        },
        { ...facts, path: "/others", scheme: "tenant", scope: "webhooks", handle: () => Promise.resolve(noContent) },
      ],
      {
        gate,
        tenantAdmission: makeTenantAdmission({ most: 1, replicas: () => 1 }),
        authenticate: {
          ...authenticate,
          tenantKey: async () => ({ caller: { name: "key:k", tenant: "demo" }, refusal: undefined }),
        },
      },
    );
    const waiting = httpCall(listener.port, "/news", {});
    await waits.promise;
    const others = [];
    for (let at = 0; at < 3; at += 1) others.push((await httpCall(listener.port, "/others", {})).status);
    happened.resolve();
    const { status } = await waiting;
    // The place that was given back early is not given back twice.
    const again = [await httpCall(listener.port, "/others", {}), await httpCall(listener.port, "/others", {})];
    await listener.stop();
    await gate.stop();

    expect(others).toEqual([204, 204, 204]);
    expect([status, ...again.map((answer) => answer.status)]).toEqual([204, 204, 204]);
  });

  it("passes the trace on while tracing is off, and leaves a malformed one out", async () => {
    const seen: (string | undefined)[] = [];
    const platform = await startTestGateway({
      payment: {
        receiveCallback() {
          seen.push(currentCall()?.traceparent);
          return Promise.resolve({});
        },
      },
    });
    for (const sent of [traceparent, "00-junk"]) {
      await httpCall(platform.port, "/provider-callbacks/pix", { method: "POST", headers: { traceparent: sent } });
    }
    await platform.stop();

    expect(seen).toEqual([traceparent, undefined]);
  });
});

describe("the line and the measurement of a request", () => {
  const lines: object[] = [];
  const measured: [string, number][] = [];
  const handle = () => Promise.resolve(noContent);
  const routes: Route[] = [
    { ...facts, path: "/people/{id}", scheme: "bearer", scope: "persons", handle },
    { ...facts, path: "/probe", scheme: "none", isQuiet: true, handle },
    {
      ...facts,
      path: "/refused",
      scheme: "none",
      handle: () => Promise.reject(invalid([{ field: "metadata.ann@example.com", message: "is wrong" }])),
    },
  ];

  it("name the route and the tenant, never the address, the query or a credential", async () => {
    const note = (fields: object): void => void lines.push(fields);
    const listener = await serveRoutes(routes, {
      logger: { debug: note, info: note, warn: note, error: note },
      requestServed: (name, status) => measured.push([name, status]),
    });
    const headers = { "x-request-id": "req-1", authorization: "Bearer secret-token", traceparent };
    await httpCall(listener.port, "/people/ann%40example.com?name=ann", { headers });
    await httpCall(listener.port, "/probe", { headers });
    await httpCall(listener.port, "/ann@example.com", { headers });
    await httpCall(listener.port, "/refused", { headers });
    await listener.stop();

    expect(lines).toMatchObject([
      { route: "GET /people/{id}", status: 204, tenant: "demo", requestId: "req-1", traceparent },
      { route: "none", status: 404, requestId: "req-1", code: "REQ_404" },
      { route: "GET /refused", status: 400, requestId: "req-1", code: "VE_001", fields: ["metadata.*.com"] },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/ann|secret/);
    expect(measured).toEqual([
      ["GET /people/{id}", 204],
      ["GET /probe", 204],
      ["none", 404],
      ["GET /refused", 400],
    ]);
  });
});
