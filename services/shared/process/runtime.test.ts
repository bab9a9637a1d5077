import { createServer, type Server } from "node:http";
import { readSettings } from "./config";
import { openRuntime, runtimeSettings } from "./runtime";

const configOf = (endpoint: string) =>
  readSettings(runtimeSettings, { PROFILE: "local", LOG_LEVEL: "error", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });

describe("the runtime of a process that traces", () => {
  let silent: Server;
  beforeAll(async () => {
    // Accepts data and never answers.
    silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  const silentUrl = (): string => {
    const address = silent.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  };

  it.each([
    ["no process listens", () => "http://127.0.0.1:9"],
    ["no answer comes", silentUrl],
  ])(
    "ends well, and soon, where %s",
    async (_where, url) => {
      const runtime = await openRuntime("fx", configOf(url()));
      await runtime.tracing.span("work", { kind: "internal" }, () => Promise.resolve());
      const startedMs = performance.now();

      await expect(runtime.stop()).resolves.toBeUndefined();

      expect(performance.now() - startedMs).toBeLessThan(8_000);
    },
    30_000,
  );
});

describe("the runtime of a process whose metrics are sent", () => {
  it("sends them to the endpoint that it is given", async () => {
    const heard = Promise.withResolvers<string>();
    const taker = createServer((request, response) => {
      heard.resolve(request.url ?? "");
      response.end("{}");
    });
    await new Promise<void>((resolve) => taker.listen(0, "127.0.0.1", resolve));
    const address = taker.address();
    const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1/metrics`;
    const settings = { PROFILE: "local", LOG_LEVEL: "error", OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint };

    const runtime = await openRuntime("fx", readSettings(runtimeSettings, settings));

    expect(await heard.promise).toBe("/v1/metrics");
    await runtime.stop();
    taker.closeAllConnections();
    taker.close();
  });
});
