import { transactionMoves } from "../../../services/shared/transaction-states";
import { httpCall } from "./http-call";
import { startTestGateway, type TestGateway } from "./test-gateway";

describe("probes and public documents", () => {
  let platform: TestGateway;
  beforeAll(async () => {
    platform = await startTestGateway({});
  });

  it("is alive and ready while every service answers its health check", async () => {
    const alive = await httpCall(platform.port, "/healthz");
    const ready = await httpCall(platform.port, "/readyz");

    expect(alive).toMatchObject({ status: 200, json: { status: "ok" } });
    expect(ready).toMatchObject({ status: 200, json: { status: "ok" } });
  });

  it("publishes the transaction states", async () => {
    const answer = await httpCall(platform.port, "/.well-known/transaction-states.json");

    expect(answer).toMatchObject({ status: 200, json: transactionMoves });
  });

  it("sends security headers and no sign of its make", async () => {
    const { headers } = await httpCall(platform.port, "/healthz");

    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
    });
    expect(headers["x-powered-by"]).toBeUndefined();
    expect(headers["etag"]).toBeUndefined();
  });
});

describe("readyz", () => {
  it("names the service that does not answer, and keeps being alive", async () => {
    const platform = await startTestGateway({});
    await platform.peers.servers.fx.stop();

    const ready = await httpCall(platform.port, "/readyz", { headers: { "x-request-id": "r-1" } });
    const alive = await httpCall(platform.port, "/healthz");

    expect(ready.status).toBe(503);
    expect(ready.headers["retry-after"]).toBe("1");
    expect(ready.json).toEqual({
      code: "SYS_503",
      message: "a service does not answer",
      requestId: "r-1",
      details: { missing: ["fx"] },
    });
    expect(alive.status).toBe(200);
  });
});
