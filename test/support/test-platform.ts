import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropDatabases, type Platform, type PlatformOptions, startPlatform } from "../../local/platform";
import { observedGateway } from "./exchange-observer";
import { connectClient, freshId, insist, pushBody } from "./platform-client";

/** Checks of each platform before it is stopped, unless its test has ended its processes. */
export const beforeStop: ((platform: Platform) => Promise<void>)[] = [];

interface TestPlatformOptions extends Partial<PlatformOptions> {
  /** True if time and memory of the gateway are measured: its exchanges are not recorded. */
  isMeasured?: boolean;
}

/**
 * A whole platform in a folder of its own, on free ports, with all services connected. Its embedded store refuses queries that no index
 * serves, and accepts failpoints. `stop` ends it and removes the folder.
 */
export async function startTestPlatform({
  isMeasured = false,
  ...options
}: TestPlatformOptions = {}): Promise<Platform> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-test-"));
  const isShared = process.env["MONGODB_URI"] !== undefined;
  const platform = await startPlatform({
    dir,
    ports: { gateway: 0, gatewayTls: 0, sandbox: 0, sandboxTls: 0 },
    databasePrefix: `test-${randomBytes(4).toString("hex")}`,
    refusesScans: true,
    failpoints: true,
    ...options,
    ...(isMeasured ? {} : { env: { ...options.env, gateway: observedGateway(options.env?.["gateway"]) } }),
  });
  await introduce(platform).catch(async (error: unknown) => {
    await platform.stop();
    throw error;
  });
  let untidy: Awaited<ReturnType<Platform["stop"]>> = [];
  return {
    ...platform,
    async stop() {
      try {
        const isRunning = platform.processes.some((one) => one.pid() !== undefined);
        for (const ask of isRunning ? beforeStop : []) await ask(platform);
      } finally {
        untidy = await platform.stop();
        if (isShared) await dropDatabases(platform);
        rmSync(dir, { recursive: true, force: true });
      }
      return untidy;
    },
  };
}

/** Waits until services reach their upstreams. They start concurrently, and one that called too early retries a bit later. */
async function introduce(platform: Platform): Promise<void> {
  const client = connectClient(platform);
  const body = pushBody(freshId(), await client.quote());
  const headers = { authorization: `Bearer ${await client.token()}`, "content-type": "application/json" };
  for (const [path, question] of [
    ["/v2/payment/validate", body],
    ["/person/validate", { address: { countryCode: "BR" } }],
  ] as const) {
    await insist(() => client.send("POST", path, headers, JSON.stringify(question)));
  }
  await client.close();
}
