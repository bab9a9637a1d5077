/** One figure of the bench, and what it must reach. */
export interface Goal {
  /** Number of the goal, where it has one. */
  id: string;
  what: string;
  value: number;
  unit: "x" | "ms" | "MB" | "/s" | "kB" | "kB/s" | "%" | "";
  bar?: { atLeast: number } | { atMost: number };
  /** A bar that is due fails the bench when it is missed. */
  isDue: boolean;
  /** The absolute figures behind the value, seen on this machine today. */
  seen: string;
}

export function isMissed({ value, bar }: Goal): boolean {
  if (bar === undefined) return false;
  // A value that could not be computed meets no bar.
  return "atLeast" in bar ? !(value >= bar.atLeast) : !(value <= bar.atMost);
}

/** One line: goal, value, bar, verdict, and what was seen. */
export function formatGoal(goal: Goal): string {
  const { id, what, value, unit, bar, isDue, seen } = goal;
  const limit = bar === undefined ? "" : "atLeast" in bar ? `>= ${bar.atLeast}` : `<= ${bar.atMost}`;
  const verdict = bar === undefined ? "reported" : `${isMissed(goal) ? "MISSED" : "met"}${isDue ? "" : " (not due)"}`;
  const figure = `${format(value)}${unit === "x" ? "x" : ` ${unit}`}`;
  return `${id.padEnd(4)} ${what.padEnd(64)} ${figure.padStart(10)}  ${limit.padEnd(8)} ${verdict.padEnd(18)} ${seen}`;
}

/** Three significant digits, which is more than this machine can promise. */
export const format = (value: number): string =>
  Math.abs(value) >= 1_000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
