// Runs the named suites one after the other, each even if one before it failed, and ends with one plain total.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./lint.mjs";

const dir = mkdtempSync(join(tmpdir(), "corridor-totals-"));

/** Suites of processes and fault injection share the machine's cores, so they run one file at a time. */
const workers = { unit: "50%", integration: "2", e2e: "1" };

/** What runs jest where something must be there before. */
const runners = { containers: ["node", "dist/local/cli/test-containers.js"] };

function runJest(project) {
  const totalsFile = join(dir, `${project}.json`);
  const args = ["--maxWorkers", workers[project] ?? "1", ...(process.env.CI ? ["--ci"] : [])];
  const [command, ...first] = runners[project] ?? ["jest", "--selectProjects", project];
  const { status } = spawnSync(command, [...first, ...args], {
    stdio: "inherit",
    env: { ...process.env, TOTALS_FILE: totalsFile },
  });
  try {
    const totals = JSON.parse(readFileSync(totalsFile, "utf8"));
    return status === 0 || totals.failed > 0 ? totals : { ...totals, failed: totals.failed + 1 };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const total = { passed: 0, failed: 0, skipped: 0 };
for (const suite of process.argv.slice(2)) {
  console.log(`\n== ${suite}`);
  const part = suite === "lint" ? runChecks() : runJest(suite);
  for (const key of Object.keys(total)) total[key] += part[key];
}
rmSync(dir, { recursive: true });
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
