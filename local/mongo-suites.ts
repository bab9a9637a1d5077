import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mongo } from "mongoose";

/** Results of a test run. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/** The suites that use a store as the services do. */
export const mongoSuites = ["integration", "e2e"] as const;

export const sumOf = (parts: readonly Totals[]): Totals =>
  parts.reduce(
    (sum, part) => ({
      passed: sum.passed + part.passed,
      failed: sum.failed + part.failed,
      skipped: sum.skipped + part.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** Runs jest suites and returns their totals; a suite without totals counts as failed. */
export async function runJest(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Totals> {
  const dir = mkdtempSync(join(tmpdir(), "corridor-totals-"));
  const file = join(dir, "totals.json");
  const jest = spawn("jest", [...args], { stdio: "inherit", env: { ...process.env, ...env, TOTALS_FILE: file } });
  const [code] = (await once(jest, "exit")) as [number | null];
  try {
    const totals = JSON.parse(readFileSync(file, "utf8")) as Totals;
    return code === 0 || totals.failed > 0 ? totals : { ...totals, failed: totals.failed + 1 };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** Runs the suites on an existing store; prints which one it is and how the embedded store differs. */
export async function runMongoSuites(uri: string): Promise<Totals> {
  const { version, modules } = await infoOf(uri);
  const isEmbedded = Array.isArray(modules) && modules.includes("corridor-embedded-store");
  console.log(isEmbedded ? "This is the embedded store itself: nothing is compared." : `MongoDB ${String(version)}`);
  console.log(`\nKnown differences of the embedded store:\n${knownDifferences()}`);
  console.log("A test that fails only here shows a further one; add it to test/integration/embedded-store.\n");
  // Parallel test files would share the limits of one store.
  return await runJest(["--selectProjects", ...mongoSuites, "--maxWorkers", "1"], { MONGODB_URI: uri });
}

/** Prints what is skipped and why, and counts it: a suite that could not run has not passed. */
export function skip(what: string, why: string, count: number): Totals {
  console.error(`\nSKIPPED: ${what}, because ${why}\n`);
  return { passed: 0, failed: 0, skipped: count };
}

/** Ends a command with its totals, for the script that adds them up. */
export function endWith(totals: Totals): void {
  const file = process.env["TOTALS_FILE"];
  if (file) writeFileSync(file, JSON.stringify(totals));
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
}

async function infoOf(uri: string): Promise<mongo.Document> {
  const client = await mongo.MongoClient.connect(uri);
  try {
    return await client.db("admin").command({ buildInfo: 1 });
  } finally {
    await client.close();
  }
}

function knownDifferences(): string {
  const [, section = ""] = readFileSync("local/embedded-store/README.md", "utf8").split(
    "## How it differs from MongoDB\n",
  );
  return section.split("\n## ")[0]?.trim() ?? "";
}
