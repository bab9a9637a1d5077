import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { payOnce, type Stage } from "../demo/story";
import { type Platform, startPlatform } from "../platform";
import { startTraceCollector } from "../trace-collector";

/**
 * `make demo`. With `--sabotage <what>` something is broken on purpose, to show that the demo notices:
 * wrong-secret, refusing-rail or dead-service.
 */
const sabotages = ["wrong-secret", "refusing-rail", "dead-service"] as const;
type Sabotage = (typeof sabotages)[number] | undefined;

function readSabotage(args: readonly string[]): Sabotage {
  const at = args.indexOf("--sabotage");
  if (at < 0) return undefined;
  const found = sabotages.find((name) => name === args[at + 1]);
  if (found === undefined) throw new Error(`--sabotage takes one of ${sabotages.join(", ")}`);
  return found;
}

async function damage(platform: Platform, sabotage: Sabotage): Promise<void> {
  if (sabotage === "dead-service") await platform.process("fx").end("SIGKILL");
  if (sabotage === "refusing-rail") {
    const { body } = await request(`${platform.credentials.sandboxUrl}/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ rail: "pix", operation: "prepare", refuse: true }),
    });
    await body.dump();
  }
}

/** A secret that is rotated behind the receiver's back: deliveries are signed with one it does not know. */
const meddleWith =
  (sabotage: Sabotage): Stage["meddle"] =>
  async (path, call, headers) => {
    if (sabotage !== "wrong-secret") return;
    await call({ method: "POST", path: `${path}/secret`, headers, status: 200, say: () => "rotated, on purpose" });
  };

async function main(): Promise<void> {
  const sabotage = readSabotage(process.argv);
  const startMs = performance.now();
  const collector = await startTraceCollector();
  const dir = mkdtempSync(join(tmpdir(), "corridor-demo-"));
  console.log("Starting the platform");
  const platform = await startPlatform({
    dir,
    ports: { gateway: 0, gatewayTls: 0, sandbox: 0, sandboxTls: 0 },
    traceEndpoint: collector.endpoint,
    say: (text) => console.log(`  ${text}`),
  });
  console.log(`  ${platform.processes.length} processes serve after ${Math.round(performance.now() - startMs)} ms\n`);
  const story = async (): Promise<void> => {
    await damage(platform, sabotage);
    const [tenant] = platform.credentials.tenants;
    if (tenant === undefined) throw new Error("no tenant");
    const { baseUrl, sandboxUrl, sinkUrl } = platform.credentials;
    console.log(`100 USD to a PIX key in Brazil, through ${baseUrl}`);
    await payOnce({ baseUrl, sandboxUrl, sinkUrl, tenant, spans: collector.spans, meddle: meddleWith(sabotage) });
  };
  const [outcome] = await Promise.allSettled([story()]);
  const untidy = await platform.stop();
  await collector.stop();
  if (outcome.status === "rejected") throw new Error(messageOf(outcome.reason));
  if (untidy.length > 0) throw new Error(`did not stop cleanly: ${untidy.join(", ")}`);
  rmSync(dir, { recursive: true });
  console.log("\nEvery step did what it should.");
}

const messageOf = (reason: unknown): string =>
  reason instanceof Error ? reason.message : "something that is no error";

main().catch((error: unknown) => {
  console.error(`\nThe demo failed: ${messageOf(error)}`);
  process.exitCode = 1;
});
