import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { reversalLimit } from "./release-payments";

/** The folder of the archives, also for the compiled script. */
const releasesDir = join(process.cwd(), "test/releases");
const ending = ".tar.gz";

/** A release's data: everything but its logs, and what it was asked to end. */
export const archiveOf = (version: string): string => join(releasesDir, `${version}${ending}`);

/** Releases whose data is here. */
export const releases = (): string[] =>
  readdirSync(releasesDir).flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));

/** Subscriptions name their receiver with its port, so that the sandbox of the data has one that stays. */
const receiverPort = 19_443;

/** In the data as in the platform that starts from it. */
export const releasePlatform = (dir: string) => ({
  dir,
  databasePrefix: "corridor",
  ports: { gateway: 0, gatewayTls: 0, sandbox: 0, sandboxTls: receiverPort },
  env: {
    wallet: { WALLET_STATEMENT_GRACE_SECONDS: "1" },
    payment: { PAYMENT_TERMS: JSON.stringify({ "*": { reversalLimit } }) },
  },
});

/** Names of what was accepted, for the test: the ids of its callers. */
export interface ReleaseFacts {
  version: string;
  payments: { name: string; externalPaymentId: string; paymentId: string; stood: string; isEnded: boolean }[];
  wallet: { id: string; balance: unknown };
  events: number;
}
const factsName = "release.json";
export const factsFile = (dir: string): string => join(dir, factsName);
export const readFacts = (dir: string): ReleaseFacts =>
  JSON.parse(readFileSync(factsFile(dir), "utf8")) as ReleaseFacts;

export const packData = (dir: string, file: string): void =>
  tar("--sort=name", "-czf", file, "--exclude=./logs", "-C", dir, ".");
export const unpackData = (file: string, dir: string): void => tar("-xzf", file, "-C", dir);

function tar(...args: string[]): void {
  const { status, stderr } = spawnSync("tar", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`tar ended with ${status}: ${stderr}`);
}
