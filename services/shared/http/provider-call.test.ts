import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { makeLogger } from "../process/logger";
import { makeMetrics } from "../process/metrics";
import { noTracing } from "../process/tracing";
import { makeProviderCall } from "./provider-call";

/** Starts a provider whose answers the test gives, or withholds. */
async function startProvider() {
  const asked: ServerResponse[] = [];
  let answer: ((response: ServerResponse) => void) | undefined;
  const server = createServer((_request, response) => {
    asked.push(response);
    answer?.(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    answerWith(status: number, body = "{}") {
      answer = (response) => response.writeHead(status).end(body);
    },
    keepBack() {
      answer = undefined;
    },
    callWith(timeoutMs: number) {
      const metrics = makeMetrics("test");
      const logger = makeLogger("test", "error");
      const baseUrl = `http://127.0.0.1:${port}`;
      const call = makeProviderCall({
        name: "pix",
        baseUrl,
        apiKey: "k",
        timeoutMs,
        logger,
        tracing: noTracing,
        metrics,
      });
      const outcomes = async (): Promise<Record<string, number>> => {
        const counted = await metrics.registry.getSingleMetric("corridor_provider_calls_total")?.get();
        return Object.fromEntries((counted?.values ?? []).map(({ labels, value }) => [labels["outcome"], value]));
      };
      return { call, outcomes, metrics };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a call to a provider", () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  beforeEach(async () => {
    provider = await startProvider();
  });
  afterEach(() => provider.stop());

  it("gives the answer below 500, nothing for a failure and for silence, and counts each", async () => {
    const { call, outcomes, metrics } = provider.callWith(2_000);

    provider.answerWith(409, '{"error":"reference_conflict"}');
    expect(await call("POST", "/instructions", {})).toEqual({
      status: 409,
      body: { error: "reference_conflict" },
      raw: '{"error":"reference_conflict"}',
    });
    provider.answerWith(200, "[1]");
    expect(await call("GET", "/instructions/1")).toEqual({ status: 200, body: {}, raw: "[1]" });
    provider.answerWith(503);
    expect(await call("GET", "/instructions/1")).toBeUndefined();
    provider.keepBack();
    expect(await call("GET", "/instructions/1")).toBeUndefined();

    expect(await outcomes()).toEqual({ answered: 2, failed: 1, silent: 1 });
    const text = await metrics.registry.metrics();
    expect(text).toContain('corridor_provider_call_duration_seconds_count{corridor_service="test",provider="pix"} 4');
  });

  it.each(["before its answer", "within its answer"])(
    "ends the connection of a call that ran out of time %s: what comes late is no other call's answer",
    async (when) => {
      provider.answerWith(200);
      const { call } = provider.callWith(1_000);
      await call("GET", "/instructions/before");
      provider.keepBack();
      const late = call("GET", "/instructions/first");
      while (provider.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      const first = provider.asked[1];
      const socket = first?.socket;
      const body = '{"of":"first"}';
      if (when === "within its answer")
        first?.writeHead(200, { "content-length": body.length }).write(body.slice(0, 5));
      expect(await late).toBeUndefined();

      provider.answerWith(200, '{"of":"next"}');
      const next = call("GET", "/instructions/next");
      first?.end(when === "within its answer" ? body.slice(5) : body);
      expect((await next)?.body).toEqual({ of: "next" });
      expect(provider.asked[2]?.req.socket).not.toBe(socket);
      while (socket?.destroyed === false) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  );

  it("takes an answer of more than 64 KiB for none", async () => {
    const { call, outcomes } = provider.callWith(5_000);
    const most = "{}".padEnd(64 * 1024);
    provider.answerWith(200, most);
    expect(await call("GET", "/instructions/1")).toEqual({ status: 200, body: {}, raw: most });
    provider.answerWith(200, "{}".padEnd(64 * 1024 + 1));
    expect(await call("GET", "/instructions/1")).toBeUndefined();
    expect(await outcomes()).toEqual({ answered: 1, silent: 1 });
  });

  it("leaves a provider alone for a second after ten failures in a row, then lets one call try", async () => {
    const { call, outcomes } = provider.callWith(5_000);
    provider.answerWith(500);
    for (let count = 0; count < 9; count += 1) await call("GET", "/x");
    provider.answerWith(200);
    await call("GET", "/x");
    provider.answerWith(500);
    for (let count = 0; count < 10; count += 1) await call("GET", "/x");
    expect(provider.asked).toHaveLength(20);

    expect(await call("GET", "/x")).toBeUndefined();
    expect(provider.asked).toHaveLength(20);
    expect(await outcomes()).toEqual({ answered: 1, failed: 19, "not made": 1 });

    await new Promise((resolve) => setTimeout(resolve, 1_100));
    provider.keepBack();
    const trial = call("GET", "/x");
    expect(await call("GET", "/x")).toBeUndefined();
    while (provider.asked.length < 21) await new Promise((resolve) => setTimeout(resolve, 10));
    provider.asked[20]?.writeHead(200).end("{}");
    expect(await trial).toEqual({ status: 200, body: {}, raw: "{}" });

    provider.answerWith(200);
    expect(await call("GET", "/x")).toEqual({ status: 200, body: {}, raw: "{}" });
    expect(provider.asked).toHaveLength(22);
  });

  it("has at most 64 calls under way; the next is made when one has ended", async () => {
    const { call } = provider.callWith(20_000);
    const first = Array.from({ length: 64 }, () => call("GET", "/x"));
    while (provider.asked.length < 64) await new Promise((resolve) => setTimeout(resolve, 10));
    const next = call("GET", "/next");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(provider.asked).toHaveLength(64);

    provider.answerWith(200);
    for (const response of [...provider.asked]) response.writeHead(200).end("{}");

    expect(await next).toEqual({ status: 200, body: {}, raw: "{}" });
    await Promise.all(first);
    expect(provider.asked).toHaveLength(65);
  });
});
