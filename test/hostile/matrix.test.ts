import { chooseCases, countCases, nameOf } from "../support/hostile-cases";
import { described, show } from "../support/hostile-judge";
import { report } from "../support/hostile-report";
import { type HostileRun, openHostileRun } from "../support/hostile-run";

const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
const count = Number(process.env["HOSTILE_CASES"] ?? 5_000 * factor);
const seed = Number(process.env["HOSTILE_SEED"] ?? 16);
/** A regular expression over the names of cases, to look for the cause of a few. */
const only = new RegExp(process.env["HOSTILE_ONLY"] ?? "");
const inFlight = 256;
const longestMs = 3_600_000;

describe("providers that answer anything", () => {
  let run: HostileRun;
  beforeAll(async () => {
    run = await openHostileRun();
  });
  afterAll(() => run.stop());

  it(
    "leave our books as theirs, or a case that commands resolve to that",
    async () => {
      const cases = chooseCases(count, seed).filter((one) => only.test(nameOf(one)));
      const startedAt = performance.now();
      const before = process.cpuUsage();
      const courses = await run.run(cases, inFlight);
      const ranMs = performance.now() - startedAt;
      const { verdicts, strangers, open, difference } = await run.judge(courses);

      const seconds = (ms: number): number => Math.round(ms / 1_000);
      const took = `${seconds(performance.now() - startedAt)} s (${seconds(ranMs)} s until all were at rest)`;
      const used = process.cpuUsage(before);
      const cpu = Math.round((used.user + used.system) / 1_000_000);
      const title = [
        `${cases.length} of ${countCases()} cases with seed ${seed} in ${took}, ${cpu} s of CPU in this process`,
        `work lost at ${run.struck()} saves, ${strangers} cases about nobody's payment`,
      ].join("; ");
      process.stdout.write(report(title, verdicts));
      const wrong = verdicts.filter(({ end }) => end === "wrong");
      expect(wrong.slice(0, 200).map(described)).toEqual([]);
      expect(open).toEqual([]);
      expect(show(difference)).toBe("nothing");
      expect(verdicts).toHaveLength(cases.length);
      expect(new Set(cases.map(nameOf)).size).toBe(cases.length);
    },
    longestMs,
  );
});
