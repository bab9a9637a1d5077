import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startEmbeddedStore } from "../../../local/embedded-store/start";

/** The drivers' public specification tests: how many cases of each suite apply to one node of the version that is imitated. */
const suites = { crud: 305, transactions: 165, "transactions-convenient-api": 25, "retryable-writes": 112 };

/** Another version has other cases, and so have several nodes: all that apply to them have to pass, at least so many of them. */
const fewestElsewhere = 20;

const shared = resolve("..", "shared");
const runner = join(shared, "tools", "spec-runner");
/** Cases of a version that the runner's own lists do not know yet. */
const ownSkips = resolve("test/data/specification/skip-client-bulk-write.json");
const configured = process.env["MONGODB_URI"];
const isThere = existsSync(join(runner, "run.mjs")) && existsSync(join(shared, "mongo-spec"));

interface Case {
  file: string;
  test: string;
  status: "passed" | "failed" | "skipped";
  why: string;
}

/** Runs one suite in the runner's own process and gives the cases that apply. */
async function runSuite(uri: string, suite: string, dir: string): Promise<Case[]> {
  const output = join(dir, `${suite}.json`);
  const skips = ["skip-node-driver.json", ...(configured === undefined ? ["skip-refused.json"] : [])];
  const skip = [...skips.map((name) => join(runner, name)), ownSkips].join(",");
  const args = [join(runner, "run.mjs"), uri, join(shared, "mongo-spec", suite), `--skip=${skip}`, `--json=${output}`];
  // The exit status repeats what the report says case by case. A runner that hangs must not outlive the test.
  const limits = { timeout: 270_000, killSignal: "SIGKILL", maxBuffer: 64 * 1024 * 1024 } as const;
  await new Promise<void>((done) => execFile(process.execPath, args, limits, () => done()));
  const cases: Case[] = JSON.parse(await readFile(output, "utf8"));
  return cases.filter(({ status }) => status !== "skipped");
}

const define = isThere ? describe : describe.skip;

define("the drivers' specification tests", () => {
  const results = new Map<string, Case[]>();

  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), "corridor-spec-"));
    const run = async (suite: string) => {
      if (configured !== undefined) return results.set(suite, await runSuite(configured, suite, dir));
      const store = await startEmbeddedStore({ dir: join(dir, suite), port: 0, failpoints: true, log: () => {} });
      // A store that stayed open after a failure would keep jest from ending.
      try {
        return results.set(suite, await runSuite(store.uri, suite, dir));
      } finally {
        await store.stop();
      }
    };
    if (configured === undefined) await Promise.all(Object.keys(suites).map(run));
    else for (const suite of Object.keys(suites)) await run(suite);
    await rm(dir, { recursive: true, force: true });
  }, 300_000);

  if (configured === undefined) {
    describe.each(Object.entries(suites))("%s", (suite, count) => {
      it.each(Array.from({ length: count }, (_, at) => at + 1))("passes case %i", (number) => {
        const found = results.get(suite)?.[number - 1];

        expect(found?.status === "passed" ? undefined : (found ?? "no such case")).toBeUndefined();
      });

      it("has no other case", () => {
        expect(results.get(suite)).toHaveLength(count);
      });
    });
  } else {
    it.each(Object.keys(suites))("of %s all pass that apply to the configured store", (suite) => {
      const cases = results.get(suite) ?? [];

      expect(cases.filter(({ status }) => status !== "passed")).toEqual([]);
      expect(cases.length).toBeGreaterThanOrEqual(fewestElsewhere);
    });
  }
});
