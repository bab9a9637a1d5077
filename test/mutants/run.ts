import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { choose, type Mutant, mutate, readMutants } from "./mutant";

/**
 * `make mutants`: breaks the code in one line at a time, in a copy of the tree, and expects the named test to fail. With
 * `--count N` only so many, chosen by MUTANT_SEED or by a seed that is printed.
 */
const root = resolve(__dirname, "../../..");
const testTimeoutMs = 240_000;

interface Run {
  failedTests: number;
  isRun: boolean;
}

/** What jest's report has of interest here. */
interface Report {
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  numPassedTests: number;
}

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

function main(): Totals {
  const all = readMutants(root);
  const at = process.argv.indexOf("--count");
  const seed = Number(process.env["MUTANT_SEED"] ?? Date.now() % 1_000_000);
  const mutants = at < 0 ? all : choose(all, Number(process.argv[at + 1]), seed);
  console.log(`${mutants.length} of ${all.length} mutants${at < 0 ? "" : `, chosen by MUTANT_SEED=${seed}`}`);
  const copy = copyTree();
  try {
    const results = mutants.map((mutant) => isCaught(copy, mutant));
    const passed = results.filter(Boolean).length;
    return { passed, failed: results.length - passed, skipped: 0 };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** The tree as it is, also what is not committed; packages and what was built are shared. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "corridor-mutants-"));
  const { stdout } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of stdout.split("\0").filter((name) => name !== "")) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file), { force: true, verbatimSymlinks: true });
  }
  for (const shared of ["node_modules", "dist"]) symlinkSync(join(root, shared), join(copy, shared));
  return copy;
}

/** Tests that were seen to pass without any mutant: one that fails by itself would catch everything. */
const green = new Set<string>();

function requireGreen(copy: string, mutant: Mutant): void {
  const { test, name = "" } = mutant;
  if (green.has(`${test} ${name}`)) return;
  const { failedTests, isRun } = runTest(copy, mutant);
  if (!isRun || failedTests > 0) throw new Error(`a test fails, or does not run, without any mutant: ${test} ${name}`);
  green.add(`${test} ${name}`);
}

function isCaught(copy: string, mutant: Mutant): boolean {
  const startMs = performance.now();
  requireGreen(copy, mutant);
  const mutated = mutate(copy, mutant);
  if (mutated === undefined) throw new Error(`a mutant no longer applies: ${mutant.file}: ${mutant.text}`);
  const before = readFileSync(join(copy, mutant.file));
  writeFileSync(join(copy, mutant.file), mutated);
  const { failedTests, isRun } = runTest(copy, mutant);
  writeFileSync(join(copy, mutant.file), before);
  const isGood = isRun && failedTests > 0;
  const seconds = Math.round((performance.now() - startMs) / 1_000);
  console.log(`${isGood ? "caught  " : "SURVIVED"} ${mutant.class}: ${mutant.rule} (${mutant.file}, ${seconds} s)`);
  return isGood;
}

/** Runs the test; `isRun` is false when a file could not be run at all, as broken code is no mutant. */
function runTest(copy: string, { test, name }: Mutant): Run {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const args = ["--selectProjects", "unit", "integration", "--runInBand", "--silent", "--json"];
  args.push(
    `--outputFile=${report}`,
    "--runTestsByPath",
    test,
    ...(name === undefined ? [] : ["--testNamePattern", name]),
  );
  const { TOTALS_FILE: _totals, ...env } = process.env;
  const jest = spawnSync("jest", args, {
    cwd: copy,
    env,
    encoding: "utf8",
    timeout: testTimeoutMs,
    maxBuffer: 1e9,
  });
  try {
    const told = JSON.parse(readFileSync(report, "utf8")) as Report;
    return {
      failedTests: told.numFailedTests,
      isRun: told.numRuntimeErrorTestSuites === 0 && told.numPassedTests + told.numFailedTests > 0,
    };
  } catch {
    // A test that hangs on a mutant has noticed it.
    return { failedTests: 1, isRun: jest.signal !== null };
  }
}

try {
  const totals = main();
  if (process.env["TOTALS_FILE"]) writeFileSync(process.env["TOTALS_FILE"], JSON.stringify(totals));
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  process.exitCode = totals.failed === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
