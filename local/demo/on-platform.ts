import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropDatabases, type Platform, startPlatform } from "../platform";
import { startTraceCollector, type TraceCollector } from "../trace-collector";

/** Starts a platform with a trace collector, runs the work on it and always stops it. */
export async function onPlatform(
  work: (platform: Platform, collector: TraceCollector) => Promise<void>,
): Promise<void> {
  const startMs = performance.now();
  const collector = await startTraceCollector();
  const dir = mkdtempSync(join(tmpdir(), "corridor-demo-"));
  console.log("Starting the platform");
  const platform = await startPlatform({
    dir,
    ports: { gateway: 0, gatewayTls: 0, sandbox: 0, sandboxTls: 0 },
    databasePrefix: `demo-${randomBytes(4).toString("hex")}`,
    traceEndpoint: collector.endpoint,
    say: (text) => console.log(`  ${text}`),
  });
  console.log(`  ${platform.processes.length} processes serve after ${Math.round(performance.now() - startMs)} ms\n`);
  const [outcome] = await Promise.allSettled([work(platform, collector)]);
  const untidy = await platform.stop();
  if (process.env["MONGODB_URI"]) await dropDatabases(platform);
  await collector.stop();
  if (outcome.status === "rejected") throw outcome.reason;
  if (untidy.length > 0) throw new Error(`did not stop cleanly: ${untidy.join(", ")}`);
  rmSync(dir, { recursive: true });
}

/** Runs the program; a failure prints a line on stderr and sets exit code 1. */
export function runDemo(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const message = error instanceof Error ? error.message : "an unknown error";
    console.error(`\nThe demo failed: ${message}`);
    process.exitCode = 1;
  });
}
