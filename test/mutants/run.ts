import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { choose, type Mutant, mutate, readMutants } from "./mutant";

/**
 * `make mutants`: breaks the code in one line at a time and expects the named test to fail. The line is broken on its way through
 * the compiler of the tests, so the tree stays as it is. With `--count N` only so many, chosen by MUTANT_SEED or by a seed that
 * is printed; with `--only WORDS` those whose rule, class, file or test contains the words.
 */
const root = resolve(__dirname, "../../..");
/** A test that is still running by then says nothing of its mutant. */
const longestRunMs = 150_000;

/** What jest's report has of interest here. */
interface Report {
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  numPassedTests: number;
}

type Verdict = "caught" | "SURVIVED" | "TEST FAILS WITHOUT IT" | "NOT RUN" | "NO LONGER APPLIES";

/** What came of a run of a test; "broken" when a file could not be loaded or no test was run, as broken code is no mutant. */
type Outcome = "passed" | "failed" | "broken";

function main(): number {
  const { values } = parseArgs({ options: { count: { type: "string" }, only: { type: "string", default: "" } } });
  const all = readMutants(root);
  const wanted = all.filter((mutant) => Object.values(mutant).join("\n").includes(values.only));
  const seed = Number(process.env["MUTANT_SEED"] ?? Date.now() % 1_000_000);
  const mutants = values.count === undefined ? wanted : choose(wanted, Number(values.count), seed);
  const chosenBy = values.count === undefined ? "" : `, chosen by MUTANT_SEED=${seed}`;
  console.log(`${mutants.length} of ${all.length} mutants${chosenBy}`);
  const dir = mkdtempSync(join(tmpdir(), "corridor-mutants-"));
  const runTest = makeRunTest(join(dir, "report.json"));
  const verdicts = mutants.map((mutant) => judge(mutant, runTest));
  rmSync(dir, { recursive: true });
  const failures = mutants.flatMap(({ rule, test }, index) =>
    verdicts[index] === "caught" ? [] : [`${verdicts[index]}  ${rule} (${test})`],
  );
  const totals = { passed: mutants.length - failures.length, failed: failures.length, skipped: 0, failures };
  if (process.env["TOTALS_FILE"]) writeFileSync(process.env["TOTALS_FILE"], JSON.stringify(totals));
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  return totals.failed === 0 && totals.passed > 0 ? 0 : 1;
}

function judge(mutant: Mutant, runTest: RunTest): Verdict {
  const startMs = performance.now();
  const verdict = verdictOf(mutant, runTest);
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  const { class: kind, rule, file, test } = mutant;
  console.log(`${verdict}  ${kind}: ${rule} (${file}, ${seconds} s${verdict === "caught" ? "" : `, ${test}`})`);
  return verdict;
}

function verdictOf(mutant: Mutant, runTest: RunTest): Verdict {
  if (mutate(root, mutant) === undefined) return "NO LONGER APPLIES";
  // One that fails by itself would catch everything.
  if (runTest(mutant, undefined) !== "passed") return "TEST FAILS WITHOUT IT";
  const outcome = runTest(mutant, mutant);
  if (outcome === "broken") return "NOT RUN";
  return outcome === "failed" ? "caught" : "SURVIVED";
}

type RunTest = (tested: Pick<Mutant, "test" | "name">, broken: Mutant | undefined) => Outcome;

/** Runs tests as they are, which is done once for all mutants that name the same ones, or with a mutant. */
function makeRunTest(report: string): RunTest {
  const passedBefore = new Set<string>();
  return ({ test, name }, broken) => {
    const named = JSON.stringify([test, name]);
    if (broken === undefined && passedBefore.has(named)) return "passed";
    rmSync(report, { force: true });
    const args = ["--selectProjects", "unit", "integration", "--runInBand", "--silent", "--json"];
    args.push(`--outputFile=${report}`, "--runTestsByPath", test);
    if (name !== undefined) args.push("--testNamePattern", name);
    const { TOTALS_FILE: _totals, MUTANT: _mutant, ...env } = process.env;
    spawnSync("jest", args, {
      cwd: root,
      env: broken === undefined ? env : { ...env, MUTANT: JSON.stringify(broken) },
      stdio: "ignore",
      timeout: longestRunMs,
    });
    const outcome = readOutcome(report);
    if (broken === undefined && outcome === "passed") passedBefore.add(named);
    return outcome;
  };
}

function readOutcome(report: string): Outcome {
  try {
    const told = JSON.parse(readFileSync(report, "utf8")) as Report;
    if (told.numRuntimeErrorTestSuites > 0) return "broken";
    if (told.numFailedTests > 0) return "failed";
    return told.numPassedTests > 0 ? "passed" : "broken";
  } catch {
    return "broken";
  }
}

process.exitCode = main();
