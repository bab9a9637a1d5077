import type { HostileCase } from "./hostile-cases";
import type { Verdict } from "./hostile-judge";

/** Counts cases and their ends, by adapter and step and by answer. */
export function report(title: string, verdicts: readonly Verdict[]): string {
  const lines = [title];
  const group = (name: string, keyOf: (one: HostileCase) => string): void => {
    const rows = new Map<string, { all: number; equal: number; resolved: number; wrong: number }>();
    for (const { course, end } of verdicts) {
      const key = keyOf(course.case);
      const row = rows.get(key) ?? { all: 0, equal: 0, resolved: 0, wrong: 0 };
      rows.set(key, { ...row, all: row.all + 1, [end]: row[end] + 1 });
    }
    lines.push(`${name}: cases (books equal, equal by commands, wrong)`);
    for (const [key, { all, equal, resolved, wrong }] of [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      lines.push(`  ${key}: ${all} (${equal}, ${resolved}, ${wrong})`);
    }
  };
  group("adapter and step", ({ target: { type, adapter, step } }) => `${adapter} ${step} of a ${type}`);
  group("answer", ({ answer, isExecuted }) => `${answer}, ${isExecuted ? "executed" : "not executed"}`);
  return `${lines.join("\n")}\n`;
}
