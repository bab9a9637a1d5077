import { chooseCases, countCases, type HostileCase, nameOf } from "../support/hostile-cases";
import { described, type HostileRun, openHostileRun, type Verdict } from "../support/hostile-run";

const factor = Number(process.env["RANDOM_FACTOR"] ?? "1");
const count = Number(process.env["HOSTILE_CASES"] ?? 5_000 * factor);
const seed = Number(process.env["HOSTILE_SEED"] ?? 16);
const inFlight = 192;

describe("providers that answer anything", () => {
  let run: HostileRun;
  beforeAll(async () => {
    run = await openHostileRun();
  });
  afterAll(() => run.stop());

  it("leave our books as theirs, or a case that commands resolve to that", async () => {
    const cases = chooseCases(count, seed);
    const startedAt = performance.now();
    const courses = await run.run(cases, inFlight);
    const verdicts = await run.judge(courses);

    const seconds = Math.round((performance.now() - startedAt) / 1_000);

    report(cases, verdicts, seconds);
    const wrong = verdicts.filter(({ end }) => end === "wrong");
    expect(wrong.slice(0, 50).map(described)).toEqual([]);
    expect(verdicts).toHaveLength(cases.length);
    expect(new Set(cases.map(nameOf)).size).toBe(cases.length);
  }, 3_600_000);
});

/** Prints how many cases there were, by adapter and step and by answer, and how they ended. */
function report(cases: readonly HostileCase[], verdicts: readonly Verdict[], seconds: number): void {
  const lines = [`${cases.length} of ${countCases()} cases with seed ${seed} in ${seconds} s`];
  const group = (title: string, keyOf: (one: HostileCase) => string): void => {
    const rows = new Map<string, { all: number; equal: number; resolved: number; wrong: number }>();
    for (const { course, end } of verdicts) {
      const key = keyOf(course.case);
      const row = rows.get(key) ?? { all: 0, equal: 0, resolved: 0, wrong: 0 };
      rows.set(key, { ...row, all: row.all + 1, [end]: row[end] + 1 });
    }
    lines.push(`${title}: cases (books equal, equal by commands, wrong)`);
    for (const [key, { all, equal, resolved, wrong }] of [...rows].toSorted()) {
      lines.push(`  ${key}: ${all} (${equal}, ${resolved}, ${wrong})`);
    }
  };
  group("adapter and step", ({ target: { type, adapter, step } }) => `${adapter} ${step} of a ${type}`);
  group("answer", ({ answer, isExecuted }) => `${answer}, ${isExecuted ? "executed" : "not executed"}`);
  process.stdout.write(`${lines.join("\n")}\n`);
}
