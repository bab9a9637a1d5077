import { createServer, type Server } from "node:http";
import { readSettings } from "./config";
import { groundSettings, openGround } from "./ground";

const configOf = (endpoint: string) =>
  readSettings(groundSettings, { PROFILE: "local", LOG_LEVEL: "error", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });

describe("the ground of a process that traces", () => {
  let silent: Server;
  beforeAll(async () => {
    // Takes what is sent and never answers.
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
      const ground = await openGround("fx", configOf(url()));
      await ground.tracing.span("work", { kind: "internal" }, () => Promise.resolve());
      const startedMs = performance.now();

      await expect(ground.stop()).resolves.toBeUndefined();

      expect(performance.now() - startedMs).toBeLessThan(8_000);
    },
    30_000,
  );
});
