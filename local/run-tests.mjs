// Runs the named suites in order, each even after an earlier failure, and ends with one plain total.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groupTests } from "./group-tests.mjs";
import { runChecks } from "./lint.mjs";

const dir = mkdtempSync(join(tmpdir(), "corridor-totals-"));

/**
 * Files at once. Tests of services wait more than they compute; the hostile suite counts what it does in a given time, so it runs
 * one file at a time.
 */
const workers = { unit: "2", integration: "4", e2e: "3", console: "1", hostile: "1" };

/** Programs for suites that need preparation, or do not use jest. */
const runners = {
  integration: ["jest", "--selectProjects", "grouped"],
  cluster: ["node", "dist/local/cli/test-cluster.js"],
  containers: ["node", "dist/local/cli/test-containers.js"],
  official: ["node", "dist/local/cli/test-official.js"],
  mongo: ["node", "dist/local/cli/test-mongo.js"],
  mutants: ["node", "dist/test/mutants/run.js", "--count", "6"],
  "all-mutants": ["node", "dist/test/mutants/run.js"],
};
const withoutJest = new Set(["cluster", "mongo", "official", "mutants", "all-mutants"]);

/** Minutes that suites may take together, by budget. */
const budgets = {
  "lint and unit": 5,
  integration: 10,
  "e2e and stories": 16,
  console: 4,
  "hostile matrix": 4,
  "planted bugs": 3,
};
const budgetOf = {
  lint: "lint and unit",
  unit: "lint and unit",
  integration: "integration",
  e2e: "e2e and stories",
  console: "console",
  hostile: "hostile matrix",
  mutants: "planted bugs",
};

function runSuite(suite) {
  const totalsFile = join(dir, `${suite}.json`);
  if (suite === "integration") groupTests();
  const [command, ...first] = runners[suite] ?? ["jest", "--selectProjects", suite, "--passWithNoTests"];
  const ofJest = ["--maxWorkers", workers[suite] ?? "1", ...(process.env.CI ? ["--ci"] : [])];
  const { status } = spawnSync(command, [...first, ...(withoutJest.has(suite) ? [] : ofJest)], {
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
const minutes = new Map();
const failures = [];
for (const suite of process.argv.slice(2)) {
  console.log(`\n== ${suite}`);
  const startMs = performance.now();
  const part = suite === "lint" ? runChecks() : runSuite(suite);
  const took = (performance.now() - startMs) / 60_000;
  const name = budgetOf[suite] ?? suite;
  minutes.set(name, (minutes.get(name) ?? 0) + took);
  const counts = `${part.passed} passed, ${part.failed} failed, ${part.skipped} skipped`;
  console.log(`== ${suite}: ${took.toFixed(1)} min (${counts})`);
  for (const key of Object.keys(total)) total[key] += part[key];
  if (part.failed > 0) failures.push(`== ${suite} failed`, ...(part.failures ?? []));
}
rmSync(dir, { recursive: true });
console.log("\n== time beside budget");
for (const [name, took] of minutes) {
  const budget = budgets[name];
  const words = budget === undefined ? "no budget" : `of ${budget} min${took > budget ? ", OVER BUDGET" : ""}`;
  console.log(`${name}: ${took.toFixed(1)} min ${words}`);
}
// Repeated here, because the end of a log is what people read, and all that some systems keep.
if (failures.length > 0) console.log(`\n${failures.join("\n")}\n`);
process.exitCode = total.failed === 0 && total.passed + total.skipped > 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
