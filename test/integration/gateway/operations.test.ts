import { transactionMoves } from "../../../services/shared/kernel/transaction-states";
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
    expect(ready).toMatchObject({ status: 200, json: { status: "ok", missing: [] } });
  });

  it("publishes the transaction states", async () => {
    const answer = await httpCall(platform.port, "/.well-known/transaction-states.json");

    expect(answer).toMatchObject({ status: 200, json: transactionMoves });
  });

  it("sends the files of the documentation as what the document says that they are", async () => {
    const { json } = await httpCall(platform.port, "/openapi.json");
    const { paths } = json as { paths: Record<string, { get: { responses: { 200: { content: object } } } }> };
    for (const [path, row] of [
      ["/docs", "/docs"],
      ["/docs/start.js", "/docs/{asset}"],
      ["/docs/guides/first-payout", "/docs/guides/{guide}"],
      ["/docs/swagger-ui.css", "/docs/{asset}"],
    ] as const) {
      const { headers } = await httpCall(platform.port, path);
      const [type = ""] = (headers["content-type"] ?? "").split(";");

      expect(Object.keys(paths[row]?.get.responses[200].content ?? {})).toContain(type);
    }
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
  it("takes requests while a service is away: names it, and answers 503 on its routes only", async () => {
    const platform = await startTestGateway({});
    await platform.peers.servers.fx.stop();

    const headers = await platform.bearer();
    const quote = JSON.stringify({
      sourceCurrencyCode: "USD",
      destinationCurrencyCode: "BRL",
      paymentMethod: "BANK_ACCOUNT",
      sourceCurrencyAmount: 100,
      destinationCountryCode: "BRA",
    });
    const ready = await httpCall(platform.port, "/readyz");
    const absent = await httpCall(platform.port, "/v2/foreign-exchange", { method: "POST", headers, body: quote });
    const present = await httpCall(platform.port, "/v2/payment/unknown", { headers });

    expect(ready).toMatchObject({ status: 200, json: { status: "ok", missing: ["fx"] } });
    expect(absent).toMatchObject({ status: 503, headers: { "retry-after": "1" }, json: { code: "SYS_503" } });
    expect(present.json).not.toMatchObject({ message: "a service does not answer" });
  });
});
