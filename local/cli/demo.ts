import { request } from "undici";
import type { Meddle } from "../demo/first-payment";
import { onPlatform, runDemo } from "../demo/on-platform";
import { payOnce } from "../demo/story";
import type { Platform } from "../platform";

/**
 * `make demo`. `--sabotage <what>` breaks something on purpose, to show that the demo notices: wrong-secret,
 * refusing-rail or dead-service.
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

/** Rotates the secret without the receiver's knowledge: deliveries are signed with an unknown one. */
const meddleWith =
  (sabotage: Sabotage): Meddle =>
  async (path, call, headers) => {
    if (sabotage !== "wrong-secret") return;
    await call({ method: "POST", path: `${path}/secret`, headers, status: 200, say: () => "rotated, on purpose" });
  };

async function main(): Promise<void> {
  const sabotage = readSabotage(process.argv);
  await onPlatform(async (platform, { spans }) => {
    await damage(platform, sabotage);
    const [tenant] = platform.credentials.tenants;
    if (tenant === undefined) throw new Error("no tenant");
    const { baseUrl, sandboxUrl, sinkUrl } = platform.credentials;
    console.log(`100 USD to a PIX key in Brazil, through ${baseUrl}`);
    await payOnce({ baseUrl, sandboxUrl, sinkUrl, tenant, spans, meddle: meddleWith(sabotage) });
  });
  console.log("\nEvery step succeeded.");
}

runDemo(main);
